import { OPERATIONS } from './api.js';
import type { Name } from './calls.js';

export type Values = { [key: string]: unknown };

/** An operation with its input, as it is sent. */
export interface ApiRequest {
  method: string;
  /** Path and query. */
  address: string;
  body: unknown;
}

/**
 * Returns the request for an operation; `search` stands in for the query of the input.
 * @throws TypeError if a value of the path is missing or would lead elsewhere.
 */
export function requestOf(name: Name, input: Values, search?: string): ApiRequest {
  const { method, path, query, body, paged } = OPERATIONS[name];
  const inPath = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    inPath.add(parameter);
    return segment(name, parameter, input[parameter]);
  });
  const rest = Object.entries(input).filter(([key, value]) => !inPath.has(key) && value !== undefined);
  const asked = rest
    .filter(([key]) => !body || query.includes(key))
    .flatMap(([key, value]) => pairs(key, value));
  // Without any parameter the list has another form.
  if (paged && asked.length === 0) asked.push('page=1');
  const sent = rest.filter(([key]) => !query.includes(key));
  const parameters = search ?? asked.join('&');
  return {
    method,
    address: parameters === '' ? filled : `${filled}?${parameters}`,
    body: body === 'apart' ? input['body'] : body ? Object.fromEntries(sent) : undefined,
  };
}

function segment(name: Name, parameter: string, value: unknown): string {
  if (value === undefined || value === null || value === '') {
    throw new TypeError(`${name}: "${parameter}" is missing`);
  }
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new TypeError(`${name}: "${parameter}" must be a text or a number`);
  }
  const text = String(value);
  // Readers of addresses take these as steps, also when they are encoded.
  if (text === '.' || text === '..') throw new TypeError(`${name}: "${parameter}" must not be "${text}"`);
  return encodeURIComponent(text);
}

/** Lists are written `ids[0]=1`, lists of objects `filters[0][field_id]=7`. */
function pairs(key: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (value instanceof Date) return pairs(key, value.toISOString());
  if (typeof value !== 'object') {
    return [`${encodeURIComponent(key)}=${encodeURIComponent(value as string | number | boolean)}`];
  }
  return Object.entries(value).flatMap(([part, inside]) => pairs(`${key}[${part}]`, inside));
}
