import { PermanentJobError } from '../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { jsonListOf } from '../json-text.js';
import { textOf } from '../options.js';

/** Connection headers; the HTTP client sets them itself. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers between a client and its proxy; the operator configures the proxy. */
const PROXY_HEADER = /^proxy-/;

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const CONTROL = /(?!\t)\p{Cc}/u;

/**
 * Returns a request's headers, names in lower case, without empty and connection headers. The caller must check
 * `host`, because the HTTP client derives it from the address.
 * @throws PermanentJobError naming the header, never its value.
 */
export function requestHeaders(headers: JsonObject): Record<string, string> {
  const entries = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.trim().toLowerCase(), headerText(value)])
    .filter(([name, value]) => value !== '' && !CONNECTION_HEADERS.has(name) && !PROXY_HEADER.test(name));
  for (const [name, value] of entries) {
    if (!TOKEN.test(name)) throw new PermanentJobError(`headers: "${name}" cannot be the name of a header`);
    if (CONTROL.test(value))
      throw new PermanentJobError(`headers.${name}: line ends are not allowed in a header`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, bytesOf(value)]));
}

/** Converts text to one character for each UTF-8 byte, which is how Node writes headers. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function headerText(value: JsonValue): string {
  return (Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)).trim();
}

/** Returns the `authorization` header of a user and a password: `["user", "password"]` or `user:password`. */
export function basicAuthorization(basicAuth: JsonValue | undefined): string | undefined {
  if (basicAuth === undefined || basicAuth === null || basicAuth === '') return undefined;
  const list = jsonListOf(basicAuth)?.map(textOf);
  if (list?.length === 0) return undefined;
  const pair = list === undefined ? textOf(basicAuth) : `${list[0] ?? ''}:${list.slice(1).join(':')}`;
  if (!pair.includes(':'))
    throw new PermanentJobError('basic_auth: use ["user", "password"] or user:password');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
