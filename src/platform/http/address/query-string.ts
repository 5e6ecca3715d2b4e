import qs from 'qs';
import { Unprocessable } from '../../errors.js';

const LIMITS = { parameterLimit: 2000, arrayLimit: 1000, depth: 5 };

const TOO_LARGE = `The "query" is too large: at most ${LIMITS.parameterLimit} parameters, ${LIMITS.arrayLimit} elements in a list and ${LIMITS.depth} levels of brackets are read`;

/** `filters[][field_id]`: an element of a list without an index. */
const ELEMENT_KEY = /^([^[\]]+)\[\](\[.+)$/;

/**
 * Parses a query string in every form of spec §1.5: `x[]=1&x[]=2`, `x=1&x=2`, `x[0]=1`, `filters[0][field_id]=…`
 * and `filters[][field_id]=…`, where a repeated key starts the next element. A single `x=1` stays a text: schemas of
 * lists accept it with joi's `.single()`.
 * @throws Unprocessable when it holds more than the limits allow.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  try {
    return qs.parse(numberElements(text), {
      ...LIMITS,
      plainObjects: true,
      strictDepth: true,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Unprocessable([{ message: TOO_LARGE, details: 'query' }]);
  }
}

/** Writes values as a query string for `parseQueryString`, which returns them as texts. Empty lists and null are left out. */
export function writeQueryString(values: Record<string, unknown>): string {
  return qs.stringify(values, { skipNulls: true });
}

/** Adds the elements' indexes to `filters[][a]=1&filters[][b]=2&filters[][a]=3`: 0, 0, 1. */
function numberElements(text: string): string {
  if (!/\[\]|%5B%5D/i.test(text)) return text;
  const elements = new Map<string, { index: number; seen: Set<string> }>();
  return text
    .split('&')
    .map((pair) => {
      const [key = '', ...value] = pair.split('=');
      const numbered = numberElement(key.replace(/%5B/gi, '[').replace(/%5D/gi, ']'), elements);
      return [numbered, ...value].join('=');
    })
    .join('&');
}

function numberElement(key: string, elements: Map<string, { index: number; seen: Set<string> }>): string {
  const [, list, rest] = ELEMENT_KEY.exec(key) ?? [];
  if (list === undefined || rest === undefined) return key;
  const current = elements.get(list) ?? { index: 0, seen: new Set<string>() };
  // A list within the element (`filters[][tags][]`) may repeat without starting a new one.
  if (current.seen.has(rest) && !rest.endsWith('[]')) {
    current.index += 1;
    current.seen.clear();
  }
  current.seen.add(rest);
  elements.set(list, current);
  return `${list}[${current.index}]${rest}`;
}
