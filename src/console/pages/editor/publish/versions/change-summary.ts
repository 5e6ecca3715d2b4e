import type { StoryDifference } from '../../../../../../clients/typescript/api.js';
import { testOf } from '../test-names.js';
import { nounWords } from '../../../../ui/words/figures.js';

const NOUNS = { action: 'action', link: 'link', note: 'note', test: 'test', setting: 'setting' } as const;
type Part = keyof typeof NOUNS;
type Deed = StoryDifference['change'] | 'moved';
const PARTS: readonly Part[] = ['action', 'link', 'note', 'test', 'setting'];
const DEEDS: readonly Deed[] = ['added', 'changed', 'removed', 'moved'];

/** Returns how many parts a change added, changed, removed and moved: `1 action added, 2 links removed`; empty for none. */
export function changeSummary(differences: readonly StoryDifference[]): string {
  const counted = new Map<string, Set<string>>();
  const changed = new Set<string>();
  for (const [index, difference] of differences.entries()) {
    const part: Part = difference.kind === 'option' ? 'action' : difference.kind;
    const deed = deedOf(difference);
    const name = nameOf(difference, index);
    if (deed === 'changed') changed.add(`${part} ${name}`);
    counted.set(`${part} ${deed}`, (counted.get(`${part} ${deed}`) ?? new Set()).add(name));
  }
  return PARTS.flatMap((part) =>
    DEEDS.flatMap((deed) => {
      const names = [...(counted.get(`${part} ${deed}`) ?? [])];
      // An action that was changed too is no moved one.
      const count = names.filter((name) => deed !== 'moved' || !changed.has(`${part} ${name}`)).length;
      return count === 0 ? [] : [`${nounWords(count, NOUNS[part])} ${deed}`];
    }),
  ).join(', ');
}

/** A part that differs in one of its fields is changed, also if that field is new. */
function deedOf({ kind, change, path }: StoryDifference): Deed {
  if (path === 'position') return 'moved';
  if (kind === 'test') return testOf(path ?? '') === path ? change : 'changed';
  return kind === 'link' || kind === 'setting' || path === null || path === '' ? change : 'changed';
}

/** Several differences of one action are one changed action; each link is one. */
function nameOf({ kind, guid, action, path }: StoryDifference, index: number): string {
  if (kind === 'link') return `${index}`;
  if (kind === 'test') return testOf(path ?? '');
  if (kind === 'setting') return (path ?? '').split(/[.[]/, 1)[0] ?? '';
  return guid ?? action ?? `${index}`;
}
