import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { sameJson } from '../diff/value-changes.js';

/** The stories that both may have changed what they once had in common. */
export type Side = 'live' | 'draft';

/** The base of a comparison whose base is unknown: nobody can tell then who has changed a difference. */
export const UNKNOWN = Symbol('an unknown base');

/** The states of one value; undefined: absent. */
export interface Three<Value = JsonValue> {
  base: Value | undefined | typeof UNKNOWN;
  live: Value | undefined;
  draft: Value | undefined;
}

/** Returns a part of each state; what is absent or unknown stays so. */
export function viewed<Whole, View>(
  three: Three<Whole>,
  view: (whole: Whole) => View | undefined,
): Three<View> {
  const of = (whole: Whole | undefined) => (whole === undefined ? undefined : view(whole));
  const { base, live, draft } = three;
  return {
    base: base === UNKNOWN ? UNKNOWN : of(base),
    live: of(live),
    draft: of(draft),
  };
}

/** Returns what each state has under a key of its own. */
export function under(three: Three, key: string): Three {
  return viewed(three, (whole) =>
    isJsonObject(whole) && Object.hasOwn(whole, key) ? whole[key] : undefined,
  );
}

/** Returns the side that has changed the value; `none`: both have the same. */
export function changedBy(three: Three): Side | 'both' | 'none' {
  const { base, live, draft } = three;
  if (sameJson(live, draft)) return 'none';
  if (base === UNKNOWN) return 'both';
  if (sameJson(base, live)) return 'draft';
  return sameJson(base, draft) ? 'live' : 'both';
}
