import { isDeepStrictEqual } from 'node:util';
import type { Parsed } from './manage-api.js';
import { valueAt } from './clients.js';

const FITS = {
  int: (value: unknown) => Number.isInteger(value),
  string: (value: unknown) => typeof value === 'string',
  bool: (value: unknown) => typeof value === 'boolean',
  any: () => true,
  map: (value: unknown) => typeof value === 'object' && !Array.isArray(value),
  ints: (value: unknown) => Array.isArray(value) && value.every((item) => Number.isInteger(item)),
  strings: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  time: (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
};

/** The fields of a Go struct, by their JSON names. Its decoder fails for a value of another type, but takes null. */
export type GoStruct = Record<string, keyof typeof FITS>;

/** Returns the fields of this object that a client in Go cannot decode. */
export function undecodable(value: Parsed, struct: GoStruct): string[] {
  if (!FITS.map(value)) return [`no object: ${JSON.stringify(value)}`];
  return Object.entries(struct).flatMap(([name, type]) => {
    const field: unknown = value[name];
    const fits = field === undefined || field === null || FITS[type](field);
    return fits ? [] : [`${name} is no ${type}: ${JSON.stringify(field)}`];
  });
}

/** Checks each object of the list at this key, which must not be empty, and the figures of its pages. */
export function decodesList(key: string, struct: GoStruct) {
  return (response: Parsed): string[] => {
    const items: unknown = response?.[key];
    if (!Array.isArray(items) || items.length === 0) return [`no items in ${key}`];
    return [...items.flatMap((item) => undecodable(item, struct)), ...undecodable(response.meta, PAGES)];
  };
}

const PAGES: GoStruct = {
  current_page: 'string',
  previous_page: 'string',
  next_page: 'string',
  next_page_number: 'int',
  per_page: 'int',
  pages: 'int',
  count: 'int',
};

/** Returns what is other than wanted, by its path in the response; the path '' is the whole of it. */
export function otherThan(response: Parsed, wanted: Record<string, unknown>): string[] {
  return Object.entries(wanted).flatMap(([path, value]) => {
    const found = path === '' ? response : valueAt(response, path);
    return isDeepStrictEqual(found, value) ? [] : [`${path} is ${JSON.stringify(found)}`];
  });
}
