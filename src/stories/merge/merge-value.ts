import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { joinedPath } from '../diff/value-changes.js';
import { planLists } from './plan-lists.js';
import type { ConflictBook, MergePlace } from './conflict-book.js';
import { changedBy, type Three, under, UNKNOWN } from './three-way.js';

/**
 * Returns the value with the changes of both sides; undefined: absent. Objects are merged key by key, lists item by item
 * where that is sure; a value that both have changed is a conflict.
 */
export function mergeValue(three: Three, place: MergePlace, book: ConflictBook): JsonValue | undefined {
  const by = changedBy(three);
  if (by !== 'both') return by === 'live' ? three.live : three.draft;
  const { base, live, draft } = three;
  const mayNest = base === undefined || base === UNKNOWN || isJsonObject(base);
  if (mayNest && isJsonObject(live) && isJsonObject(draft)) {
    return mergeObjects({ base, live, draft }, place, book);
  }
  const plan = planLists(three);
  if (plan === undefined) return three[book.settle(place, three)];
  if ('whole' in plan) return plan.whole;
  return plan.items.map(
    (item, index) => mergeValue(item, { ...place, path: `${place.path ?? ''}[${index}]` }, book) ?? null,
  );
}

/** The keys in the order of the draft, then those that only the live value has. */
function mergeObjects(
  three: Three & { live: JsonObject; draft: JsonObject },
  place: MergePlace,
  book: ConflictBook,
): JsonObject {
  const keys = new Set([...Object.keys(three.draft), ...Object.keys(three.live)]);
  const entries = [...keys].flatMap((key): [string, JsonValue][] => {
    const value = mergeValue(under(three, key), { ...place, path: joinedPath(place.path ?? '', key) }, book);
    return value === undefined ? [] : [[key, value]];
  });
  return orderedObject(entries);
}
