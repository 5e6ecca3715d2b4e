import { BadRequest, messageOf, PayloadTooLarge, type Problem, UnsupportedMediaType } from '../../errors.js';
import { fieldPath } from '../../validation/validate.js';
import { type JsonExcess, measureJson } from '../../json/json-measure.js';
import { parseJson } from '../../json/parse-json.js';

/** JSON nested deeper than this is an attack on recursive code, not data. */
const MAX_DEPTH = 500;
/** Most values in a body: checking each takes up to 10 µs, and the largest real request has some hundreds. */
const MAX_VALUES = 20_000;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/i;
/** A body without the key, as all real ones are, costs one scan of its text. */
const MAY_HOLD_REFUSED_KEY = /__proto__|\\u00/i;
const REFUSED_KEY = '__proto__';

/** A body as received, decompressed. */
export interface RawBody {
  bytes: Uint8Array;
  contentType: string | undefined;
}

export interface ReadBody {
  /** Undefined without a body. The keys named by `problems` are removed. */
  value: unknown;
  /** One for each `__proto__` key. */
  problems: Problem[];
}

/**
 * Reads a body as JSON.
 * @throws UnsupportedMediaType for a body not labelled as JSON; BadRequest for one that is not JSON, not UTF-8, or nested
 * too deep; PayloadTooLarge for more than `maxValues` values.
 */
export function readJsonBody({ bytes, contentType }: RawBody, maxValues = MAX_VALUES): ReadBody {
  if (bytes.length === 0) return { value: undefined, problems: [] };
  checkType(contentType);
  const text = decodeJson(bytes);
  requireWithin(measureJson(text, { depth: MAX_DEPTH, values: maxValues }).excess, maxValues);
  const value = parse(text);
  return { value, problems: takeRefusedKeys(text, value) };
}

/** Returns true if even a short body has more than `values` values; false if it cannot be read. */
export function hasManyValues({ bytes }: RawBody, values: number): boolean {
  // Each value takes at least two characters.
  if (bytes.length <= 2 * values) return false;
  return measureJson(Buffer.from(bytes).toString('latin1'), { depth: MAX_DEPTH, values }).excess === 'values';
}

/** A body without a content type is read as JSON: no other format is accepted. */
function checkType(header: string | undefined): void {
  if (header === undefined) return;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  if (!JSON_TYPE.test(type)) {
    throw new UnsupportedMediaType('The body must be JSON, with content-type application/json');
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/i.test(charset)) {
    throw new BadRequest('The body must be encoded in UTF-8');
  }
}

/** Returns the text of a body. @throws BadRequest for one that is not UTF-8. */
export function decodeJson(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BadRequest('The body must be encoded in UTF-8', { cause });
  }
}

function requireWithin(excess: JsonExcess | undefined, maxValues: number): void {
  if (excess === 'depth') throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);
  if (excess === 'values') throw new PayloadTooLarge(`The body has more than ${maxValues} values`);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BadRequest(`The body is not valid JSON: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Removes each `__proto__` key from a JSON value; returns a problem for each. Schemas do not see this key, so it would be
 * the only unknown field that is accepted. It is not data but an attack on code that copies objects.
 */
function takeRefusedKeys(text: string, value: unknown): Problem[] {
  if (!MAY_HOLD_REFUSED_KEY.test(text)) return [];
  return refusedIn(value, []);
}

function refusedIn(value: unknown, path: (string | number)[]): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => refusedIn(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...path, key];
    if (key !== REFUSED_KEY) return refusedIn(item, here);
    Reflect.deleteProperty(value, key);
    return [{ message: `"${fieldPath(here)}" is not allowed`, details: fieldPath(here) }];
  });
}
