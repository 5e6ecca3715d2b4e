import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { sameJson } from '../diff/value-changes.js';
import { type Three, UNKNOWN } from './three-way.js';

/** How two changed lists become one: the items of both, or item by item; undefined: nobody can tell. */
export type ListPlan = { whole: JsonValue[] } | { items: Three[] } | undefined;

/** The part of a list that was replaced: places in the list of before, and what stands there now. */
interface Span {
  start: number;
  end: number;
  items: JsonValue[];
}

/**
 * Plans the merge of two lists that both have changed. Changes of different parts are both made; lists of one length are
 * compared item by item, unless items have moved: then their places do not tell which is which.
 */
export function planLists({ base, live, draft }: Three): ListPlan {
  if (base === UNKNOWN || !Array.isArray(base) || !Array.isArray(live) || !Array.isArray(draft))
    return undefined;
  if ([base, live, draft].every(isPoint)) return undefined;
  const [ours, theirs] = [changedSpan(base, live), changedSpan(base, draft)];
  if (ours.end <= theirs.start && ours.start < theirs.end) return { whole: spliced(base, ours, theirs) };
  if (theirs.end <= ours.start && theirs.start < ours.end) return { whole: spliced(base, theirs, ours) };
  const isSameLength = base.length === live.length && base.length === draft.length;
  if (!isSameLength || hasMoved(base, live) || hasMoved(base, draft)) return undefined;
  return { items: base.map((item, index) => ({ base: item, live: live[index], draft: draft[index] })) };
}

/** Returns true for a place on the board, which is one value. */
function isPoint(list: readonly JsonValue[]): boolean {
  return list.length === 2 && list.every((item) => typeof item === 'number');
}

function changedSpan(before: JsonValue[], after: JsonValue[]): Span {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && sameJson(before[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && sameJson(before.at(-1 - end), after.at(-1 - end))) end += 1;
  return { start, end: before.length - end, items: after.slice(start, after.length - end) };
}

function spliced(base: JsonValue[], first: Span, second: Span): JsonValue[] {
  return [
    ...base.slice(0, first.start),
    ...first.items,
    ...base.slice(first.end, second.start),
    ...second.items,
    ...base.slice(second.end),
  ];
}

/** Returns true if an item of before stands at another place now. */
function hasMoved(before: JsonValue[], after: JsonValue[]): boolean {
  const texts = before.map((item) => stringifyJson(item));
  const known = new Set(texts);
  return after.some((item, index) => {
    const text = stringifyJson(item);
    return text !== texts[index] && known.has(text);
  });
}
