import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';

import { optionText } from '../options/options.js';

/** Which pages of browsers may call a webhook and read its responses (decision 0028). */
export interface Cors {
  /** Origins, such as `https://forms.example`; `any`: all of them. */
  origins: ReadonlySet<string> | 'any';
  /** Headers by their names in lower case, as the story gives them; absent: the server's own. */
  given: Readonly<Record<string, string>>;
}

const ORIGIN_HEADER = 'access-control-allow-origin';
/** CORS headers that a story may set; never `access-control-allow-credentials`. */
const GIVEN_HEADERS = new Set([
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'access-control-max-age',
]);
/** Lists of names, and a number of seconds. */
const GIVEN_VALUE = /^[\w\-*, ]{1,1000}$/;
const YES: unknown[] = [true, 'true', 1, '1', 'yes', 'on'];

/**
 * Returns what the options of a webhook say of calls of browsers: `cors`, `enable_cors`, or the headers
 * `Access-Control-…` in `response_headers`. Undefined: pages of other origins cannot read answers.
 */
export function readCors(options: JsonObject): Cors | undefined {
  const { cors, enable_cors: enabled, response_headers: headers } = options;
  const entries = Object.entries(isJsonObject(headers) ? headers : {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const asked = entries.find(([name]) => name === ORIGIN_HEADER)?.[1];
  const wanted = isJsonObject(cors) ? cors['origins'] : cors;
  const isAny = YES.includes(enabled) || YES.includes(wanted);
  const origins = isAny ? 'any' : (originsIn(wanted) ?? originsIn(asked));
  if (origins === undefined) return undefined;
  const given = entries.filter(([name, value]) => GIVEN_HEADERS.has(name) && isCorsHeader(name, value));
  return { origins, given: Object.fromEntries(given.map(([name, value]) => [name, optionText(value)])) };
}

/** Whether a webhook sends this header of CORS, with its name in lower case, for calls of browsers. */
export function isCorsHeader(name: string, value: JsonValue | undefined): boolean {
  if (name === ORIGIN_HEADER) return originsIn(value) !== undefined;
  const isText = typeof value === 'string' || typeof value === 'number';
  return GIVEN_HEADERS.has(name) && isText && GIVEN_VALUE.test(String(value));
}

/** Returns the origins in a list, or in a text with commas; undefined if there is none. */
export function originsIn(value: JsonValue | undefined): Cors['origins'] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  const words = texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
  if (words.includes('*')) return 'any';
  const origins = words.flatMap((word) => originOf(word) ?? []);
  return origins.length === 0 ? undefined : new Set(origins);
}

function originOf(word: string): string | undefined {
  if (!/^https?:\/\/[^/]+\/?$/i.test(word) || !URL.canParse(word)) return undefined;
  return new URL(word).origin;
}
