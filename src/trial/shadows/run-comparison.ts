import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonValue } from '../../platform/json.js';
import type { DifferenceKind, ShadowSkipReason, ValueType } from './shadow.js';

/** A difference of one run, without its values: those are read from the run when somebody looks at it. */
export interface FoundDifference {
  /** The action of the tried story; null: it has none in the place of the one of the run. */
  actionId: number | null;
  /** The action of the run; null: only the tried story has it. */
  pastActionId: number | null;
  /** Of the action of the run, else of the tried one. */
  guid: string;
  name: string;
  kind: DifferenceKind;
  path: string;
  before: ValueType | null;
  after: ValueType | null;
  /** The team of the action in the run, for when the action is no more; null: it is not known. */
  teamId?: number | null;
  /** The same for a difference with the same result in another trial of the run. */
  mark: string;
}

/** A run beside a trial of it. */
export type RunComparison =
  | { skipped: ShadowSkipReason }
  | { skipped?: undefined; differences: FoundDifference[] };

/** Returns the differences of a draft that the live story, tried with the same run, does not have. */
export function ownDifferences(draft: FoundDifference[], live: FoundDifference[]): FoundDifference[] {
  const known = new Set(live.map(({ mark }) => mark));
  return draft.filter(({ mark }) => !known.has(mark));
}

/** Returns what tells the groups of differences apart. */
export function differenceGroupOf(found: FoundDifference): string {
  const { actionId, pastActionId, kind, path, before, after } = found;
  return stringifyJson([pastActionId ?? `new ${actionId}`, kind, path, before, after]);
}

/** Returns a path for all items of its lists: `rows[3].name` is `rows[].name`. */
export function pathOfGroup(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

/** Returns the type of a value; undefined is absent. */
export function typeOfValue(value: JsonValue | undefined): ValueType {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  return typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'boolean' : 'number';
}
