/** The greatest whole number that JavaScript sorts as a key. */
const LAST_INDEX = 4_294_967_294;

/** Returns true for a key that JavaScript puts before all others, sorted by size: `0`, `2024`. */
export function isSortedKey(key: string): boolean {
  const first = key.charCodeAt(0);
  if (!(first >= 0x30 && first <= 0x39) || key.length > 10) return false;
  return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) <= LAST_INDEX;
}

/**
 * Returns an object with the entries in their order, whole numbers as keys included; of equal keys the last value
 * counts, at the place of the first. Code that copies objects must use this, or `merged`: `{...object}` sorts such keys.
 */
export function orderedObject<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  const object = Object.fromEntries(entries);
  return entries.some(([key]) => isSortedKey(key)) ? inOrder(object, new Set(entries.map(keyOf))) : object;
}

/** Returns the keys and values of both objects; the right one's values count, where both have a key. */
export function mergedObjects<Value>(
  left: Readonly<Record<string, Value>>,
  right: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return orderedObject([...Object.entries(left), ...Object.entries(right)]);
}

const keyOf = ([key]: readonly [string, unknown]): string => key;

/** Returns an object that lists its keys, which must be these, in this order. */
export function inOrder<Value>(object: Record<string, Value>, keys: Set<string>): Record<string, Value> {
  const sorted = Object.keys(object);
  if ([...keys].every((key, index) => key === sorted[index])) return object;
  const ordered = new Proxy(object, new KeptOrder(keys));
  known.add(ordered);
  return ordered;
}

/** The objects whose order JavaScript would not keep. */
const known = new WeakSet<object>();

/** Returns true for an object whose keys a copy would sort. */
export function isOrdered(value: object): boolean {
  return known.has(value);
}

/** Lists the keys of an object in the order in which they came. */
class KeptOrder<Value> implements ProxyHandler<Record<string, Value>> {
  readonly #keys: Set<string>;

  constructor(keys: Set<string>) {
    this.#keys = keys;
  }

  ownKeys(): string[] {
    return [...this.#keys];
  }

  defineProperty(target: Record<string, Value>, key: string | symbol, given: PropertyDescriptor): boolean {
    if (typeof key === 'symbol' || !Reflect.defineProperty(target, key, given)) return false;
    this.#keys.add(key);
    return true;
  }

  deleteProperty(target: Record<string, Value>, key: string | symbol): boolean {
    if (typeof key === 'string') this.#keys.delete(key);
    return Reflect.deleteProperty(target, key);
  }
}
