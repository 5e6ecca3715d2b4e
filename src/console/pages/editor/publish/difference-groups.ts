import type { StoryDifference } from '../../../../../clients/typescript/api.js';
import { testName, testOf } from './test-names.js';
import { hasEntries, LongNumber } from '../../../text/exact-json.js';

/** The differences of one action, one note or the settings. */
export interface DifferenceGroup {
  key: string;
  title: string;
  /** Guid of the action; null: the picture has none. */
  guid: string | null;
  differences: StoryDifference[];
}

/** Differences for a list: those that mean something, and parts that were only moved. */
export interface GroupedDifferences {
  groups: DifferenceGroup[];
  moved: DifferenceGroup[];
}

const PORT_WORDS: Record<string, string> = { secondary: 'no match', failure: 'failure' };
const SHORT_CHARACTERS = 80;

/** Returns the differences by what they are in, in their order; links are with the action that they leave. */
export function groupsOf(differences: readonly StoryDifference[]): GroupedDifferences {
  const found = new Map<string, DifferenceGroup>();
  const own = differences.filter(({ kind }) => kind !== 'link');
  // A link does not know the name of its action as well as the action does.
  for (const difference of [...own, ...differences.filter(({ kind }) => kind === 'link')]) {
    const key = keyOf(difference);
    const group = found.get(key) ?? {
      key,
      title: titleOf(difference),
      guid: pictured(difference),
      differences: [],
    };
    found.set(key, { ...group, differences: [...group.differences, difference] });
  }
  const all = [...found.values()];
  const isMoved = ({ differences: list }: DifferenceGroup) => list.every(isMove);
  return { groups: all.filter((group) => !isMoved(group)), moved: all.filter(isMoved) };
}

/** Returns the guids of the actions in which something differs besides their place. */
export function changedGuids(differences: readonly StoryDifference[]): Set<string> {
  return new Set(
    differences.flatMap((each) => (each.kind === 'link' || isMove(each) ? [] : (pictured(each) ?? []))),
  );
}

/** Returns how many differences mean something: parts that were only moved are none. */
export function countOfChanges(differences: readonly StoryDifference[]): number {
  return differences.filter((each) => !isMove(each)).length;
}

/** Returns the words for a difference: `Renamed`, `Link to Report, from no match: added`, `url`. */
export function differenceWords({ kind, change, path, before, after }: StoryDifference): string {
  if (kind === 'link') {
    const link = valueOf(after ?? before);
    const port = PORT_WORDS[textOf(link['link_type'])];
    return `Link to ${textOf(link['receiver'])}${port === undefined ? '' : `, from ${port}`}: ${change}`;
  }
  if (path === null || path === '') return `${capital(kind)} ${change}`;
  if (kind === 'test' && isWholePart({ kind, path })) return `${testName(path)}: ${change}`;
  if (path === 'position') return 'Moved';
  if (path === 'name' && kind === 'action') return 'Renamed';
  return pathWords(path);
}

/** Whether a difference is an action or a test that was added or removed: it has all of its text. */
export function isWholePart({ kind, path }: Pick<StoryDifference, 'kind' | 'path'>): boolean {
  if (kind === 'test') return path !== null && testOf(path) === path;
  return kind === 'action' && path === null;
}

/** Returns a path as the editor shows it: `headers.Accept` is an option. */
export function pathWords(path: string): string {
  return path.replace(/^options\./, '');
}

/** Returns both values of a difference as texts; null: there is nothing to show beside the words. */
export function differenceTexts({
  kind,
  path,
  before,
  after,
}: StoryDifference): { before: string; after: string } | null {
  if (kind === 'link' || path === 'position') return null;
  return { before: textOf(before), after: textOf(after) };
}

/** Whether two texts are best compared line by line. */
export function isLong({ before, after }: { before: string; after: string }): boolean {
  return [before, after].some((text) => text.includes('\n') || text.length > SHORT_CHARACTERS);
}

/** Returns a value as a person reads it: texts as they are, other values as JSON; an absent one is empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof LongNumber) return value.text;
  return JSON.stringify(value, null, 2);
}

const isMove = ({ path }: StoryDifference) => path === 'position';

function keyOf({ kind, guid, action, path }: StoryDifference): string {
  if (kind === 'setting') return 'settings';
  if (kind === 'test') return 'tests';
  return `${kind === 'note' ? 'note' : 'action'} ${guid ?? action ?? path ?? ''}`;
}

function titleOf({ kind, action, before, after }: StoryDifference): string {
  if (kind === 'setting') return 'Settings';
  if (kind === 'test') return 'Tests';
  if (kind === 'note') return 'Note';
  return action ?? textOf(valueOf(after ?? before)['source']);
}

function pictured({ kind, guid }: StoryDifference): string | null {
  return kind === 'note' || kind === 'test' || kind === 'setting' ? null : guid;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const valueOf = (value: unknown): Record<string, unknown> => (hasEntries(value) ? { ...value } : {});
