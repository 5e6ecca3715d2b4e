import { hasEntries } from '../../text/exact-json.js';
import { isSame } from '../same-value.js';

interface ValueChange<Value> {
  before: Value;
  after: Value;
}

/**
 * Returns a value of JSON with a change that was made in another version of it: what both versions have in common is as it is
 * `now`. Where the very same value is another by now, `side` says whether the change or what is there counts.
 */
export function mergedValue<Value>(
  now: Value,
  { before, after }: ValueChange<Value>,
  side: 'change' | 'draft',
): Value {
  if (isSame(now, before)) return after;
  if (isSame(before, after)) return now;
  const values = [now, before, after];
  if (values.every(isList)) {
    const [all, old, next] = values as unknown as unknown[][];
    if (all?.length === old?.length && old?.length === next?.length) {
      return all?.map((item, at) =>
        mergedValue(item, { before: old?.[at], after: next?.[at] }, side),
      ) as Value;
    }
  } else if (values.every(isObject)) {
    return mergedObject(values as unknown as ObjectVersions, side) as Value;
  }
  return side === 'change' ? after : now;
}

type JsonObject = Readonly<Record<string, unknown>>;
type ObjectVersions = [now: JsonObject, before: JsonObject, after: JsonObject];

/** Undefined stands for a key that is absent: values of JSON are never undefined. */
function mergedObject([now, before, after]: ObjectVersions, side: 'change' | 'draft'): JsonObject {
  const names = new Set([...Object.keys(now), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .map((name): [string, unknown] => {
        const change = { before: own(before, name), after: own(after, name) };
        return [name, mergedValue(own(now, name), change, side)];
      })
      .filter(([, value]) => value !== undefined),
  );
}

const own = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
const isList = (value: unknown): boolean => Array.isArray(value);
const isObject = (value: unknown): boolean => hasEntries(value) && !isList(value);
