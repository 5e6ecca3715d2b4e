import type { JsonValue } from '../../platform/json.js';
import { sameJson } from '../diff/value-changes.js';
import type { ConflictBook, MergePlace } from './conflict-book.js';
import { type Side, type Three, UNKNOWN } from './three-way.js';

/** The parts of one kind of all states, by key; a base of undefined is unknown. */
export interface PartMaps<Part> {
  base: ReadonlyMap<string, Part> | undefined;
  live: ReadonlyMap<string, Part>;
  draft: ReadonlyMap<string, Part>;
}

/** Returns what all states have under a key. */
export function threeOf<Part>({ base, live, draft }: PartMaps<Part>, key: string): Three<Part> {
  return { base: base === undefined ? UNKNOWN : base.get(key), live: live.get(key), draft: draft.get(key) };
}

/** Returns all keys in the order of the side that has changed it; what only the other one has comes last. */
export function mergedOrder<Part>({ base, live, draft }: PartMaps<Part>): string[] {
  const [was, ours, theirs] = [[...(base ?? live).keys()], [...live.keys()], [...draft.keys()]];
  const isDraftUnchanged = base !== undefined && was.join('\n') === theirs.join('\n');
  return [...new Set(isDraftUnchanged ? [...ours, ...theirs] : [...theirs, ...ours])];
}

/**
 * Returns the sides whose part the result has. What one side removed and the other left alone goes; what one removed
 * and the other changed is a conflict, in which `shown` is named.
 */
export function keptSide(
  compared: Three,
  { place, shown }: { place: MergePlace; shown: Three },
  book: ConflictBook,
): Side | 'both' | 'none' {
  const { base, live, draft } = compared;
  if (live !== undefined && draft !== undefined) return 'both';
  if (live === undefined && draft === undefined) return 'none';
  const side = live === undefined ? 'draft' : 'live';
  if (base === undefined) return side;
  if (base !== UNKNOWN && sameJson(base, compared[side])) return 'none';
  return book.settle(place, shown) === side ? side : 'none';
}

/** Returns a map of the parts; equal keys are told apart by their turn. */
export function partsByKey<Part>(parts: readonly Part[], keyOf: (part: Part) => string): Map<string, Part> {
  const found = new Map<string, Part>();
  const turns = new Map<string, number>();
  for (const part of parts) {
    const key = keyOf(part);
    const turn = (turns.get(key) ?? 0) + 1;
    turns.set(key, turn);
    found.set(turn === 1 ? key : `${key} (${turn})`, part);
  }
  return found;
}

/** Returns the value as a text, or an empty one. */
export function textOrEmpty(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
