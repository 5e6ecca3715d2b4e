import { types } from 'node:util';
import { ExactNumber } from './exact-number.js';
import { isOrdered, orderedObject } from './ordered-object.js';

/** A message to or from a thread: copied, an exact number would lose its digits, and an object could not be copied at all. */
export interface Portable {
  value: unknown;
  /** Some parts of `value` stand for such numbers and objects. */
  isPacked: boolean;
}

/** Stands for an exact number or the entries of an ordered object. JSON values hold no maps. */
type Packed = Map<'exact', string> | Map<'ordered', [string, unknown][]>;

/** Returns a message that can be copied to another thread; a value without such parts is not touched. */
export function pack(value: unknown): Portable {
  const packed = changed(value, packedPart);
  return { value: packed, isPacked: packed !== value };
}

/** Returns the value of a message from another thread. */
export function unpack({ value, isPacked }: Portable): unknown {
  return isPacked ? changed(value, unpackedPart) : value;
}

type Change = (part: object) => unknown;

function packedPart(part: object): Packed | undefined {
  if (part instanceof ExactNumber) return new Map([['exact', String(part)]]);
  if (!isOrdered(part)) return undefined;
  const entries = Object.entries(part).map(([key, item]): [string, unknown] => [
    key,
    changed(item, packedPart),
  ]);
  return new Map([['ordered', entries]]);
}

function unpackedPart(part: object): unknown {
  if (!types.isMap(part)) return undefined;
  const packed = part as Map<string, unknown>;
  const digits = packed.get('exact');
  if (typeof digits === 'string') return new ExactNumber(digits);
  const entries = packed.get('ordered') as [string, unknown][] | undefined;
  return entries && orderedObject(entries.map(([key, item]) => [key, changed(item, unpackedPart)]));
}

/** Returns the value with its parts replaced where `change` has one for them; the same value if it has none. */
function changed(value: unknown, change: Change): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const own = change(value);
  if (own !== undefined) return own;
  if (Array.isArray(value)) return changedList(value, change);
  return isPlain(value) ? changedObject(value, change) : value;
}

/** Also true for an object of another realm, such as that of a test. */
function isPlain(value: object): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function changedList(list: unknown[], change: Change): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = changed(list[index], change);
    if (item === list[index]) continue;
    copy ??= [...list];
    copy[index] = item;
  }
  return copy ?? list;
}

function changedObject(object: Record<string, unknown>, change: Change): object {
  let entries: [string, unknown][] | undefined;
  for (const [index, [key, value]] of Object.entries(object).entries()) {
    const item = changed(value, change);
    if (item === value) continue;
    entries ??= Object.entries(object);
    entries[index] = [key, item];
  }
  return entries === undefined ? object : Object.fromEntries(entries);
}
