import { hasEntries } from '../text/exact-json.js';

/** The way to a value inside a value of JSON: keys of objects, and places in lists from 0. */
export type Path = readonly (string | number)[];

/**
 * Returns a copy of `whole` with another value at the path; undefined takes the key or the item out. Objects and lists on the
 * way that are missing are made. @throws TypeError if the path leads into a text, a number, or by a key into a list.
 */
export function withValueAt(whole: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') return withItemAt(listIn(whole), step, rest, value);
  const object = objectIn(whole);
  const inside = withValueAt(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  if (inside !== undefined) return { ...object, [step]: inside };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step));
}

function withItemAt(list: readonly unknown[], at: number, rest: Path, value: unknown): unknown[] {
  const inside = withValueAt(list[at], rest, value);
  return inside === undefined ? list.toSpliced(at, 1) : list.toSpliced(at, 1, inside);
}

function listIn(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError('The path leads into a value that is no list.');
  return value;
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!hasEntries(value) || Array.isArray(value)) {
    throw new TypeError('The path leads into a value that is no object.');
  }
  return value as Readonly<Record<string, unknown>>;
}
