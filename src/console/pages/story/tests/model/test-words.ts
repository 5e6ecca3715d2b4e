import type { StoryTestDifference } from '../../../../../../clients/typescript/api.js';
import { hasEntries } from '../../../../text/exact-json.js';
import { countWords, nounWords } from '../../../../ui/words/figures.js';
import type { TestKind } from './test-shape.js';
import type { StoredTestResult } from './test-report.js';

/** One item of each kind, and several. */
export const KIND_WORDS: Readonly<Record<TestKind, readonly [one: string, many: string]>> = {
  events: ['event', 'events'],
  requests: ['request', 'requests'],
  mails: ['mail', 'mails'],
  records: ['record', 'records'],
  errors: ['error', 'errors'],
};

/** Returns what a list of this length means: `3 events`, `no events`. */
export function lengthWords(kind: TestKind, length: number): string {
  const [one, many] = KIND_WORDS[kind];
  return length === 0 ? `no ${many}` : nounWords(length, one, many);
}

/** Returns the place of a difference, without the action: `event 1, body.title`. */
export function placeWords({
  kind,
  index,
  path,
}: Pick<StoryTestDifference, 'kind' | 'index' | 'path'>): string {
  const [one, many] = KIND_WORDS[kind];
  if (index === null) return `number of ${many}`;
  return path === '' ? `${one} ${index + 1}` : `${one} ${index + 1}, ${path}`;
}

/** The matchers with a value that is no text, in words. */
const MATCHER_WORDS: Readonly<Record<string, (given: unknown) => { words: string; value?: unknown }>> = {
  $any: () => ({ words: 'any value' }),
  $absent: () => ({ words: 'no value' }),
  $type: (given) => ({ words: `a value of type ${String(given)}` }),
  $pattern: (given) => ({ words: 'a text that matches', value: given }),
  $contains: (given) => ({ words: 'a value that contains', value: given }),
  $equal: (given) => ({ words: 'exactly', value: given }),
};

/** Returns an expected value as people read it: the words of its matcher, and the value that remains to be shown. */
export function expectedWords(expected: unknown): { words?: string; value?: unknown } {
  if (hasEntries(expected) && !Array.isArray(expected)) {
    const [[name, given] = ['', undefined], ...others] = Object.entries(expected);
    const words = others.length === 0 && Object.hasOwn(MATCHER_WORDS, name) ? MATCHER_WORDS[name] : undefined;
    if (words !== undefined) return words(given);
  }
  return { value: expected };
}

/** Whether there was nothing in the place of a difference; the API has null for it. */
export const isNothing = ({
  found = null,
  instead,
}: Pick<StoryTestDifference, 'found' | 'instead'>): boolean =>
  found === null && hasEntries(instead) && Object.hasOwn(instead, '$absent');

/** Returns a covered part of all with its share: `31 of 40 parts (78 %)`. Only all of them are 100 %. */
export function coverageWords({ covered, all }: Pick<StoredTestResult, 'covered' | 'all'>): string {
  if (all === 0) return 'no parts';
  const percent = covered === all ? 100 : Math.min(Math.round((covered / all) * 100), 99);
  return `${countWords(covered)} of ${nounWords(all, 'part')} (${percent} %)`;
}

/** Returns how tests ended: `All 4 tests pass.`, `1 of 4 tests fails.` */
export function outcomeWords({ passed, failed }: Pick<StoredTestResult, 'passed' | 'failed'>): string {
  const all = passed + failed;
  if (all === 0) return 'No tests.';
  if (failed > 0)
    return `${countWords(failed)} of ${nounWords(all, 'test')} ${failed === 1 ? 'fails' : 'fail'}.`;
  return all === 1 ? 'The test passes.' : `All ${countWords(all)} tests pass.`;
}
