import { PermanentJobError } from '../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { DigestCredentials } from '../../platform/outbound/http/digest.js';
import { bytesOf } from '../../platform/text/byte-text.js';
import { jsonListOf } from '../json-text.js';
import { optionText } from '../options/options.js';

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
  return Object.fromEntries(entries.map(([name, value]) => [name, headerBytes(value)]));
}

/** Converts text to one character for each UTF-8 byte, which is how Node writes headers. */
function headerBytes(text: string): string {
  return bytesOf(text).toString('latin1');
}

function headerText(value: JsonValue): string {
  return (Array.isArray(value) ? value.map(optionText).join(', ') : optionText(value)).trim();
}

/** Returns the `authorization` header of a user and a password: `["user", "password"]` or `user:password`. */
export function basicAuthorization(basicAuth: JsonValue | undefined): string | undefined {
  const pair = pairOf(basicAuth, 'basic_auth');
  return pair === undefined ? undefined : `Basic ${bytesOf(pair.join(':')).toString('base64')}`;
}

/** Returns a user and a password for Digest authentication, in the forms of `basicAuthorization`. */
export function digestCredentials(digestAuth: JsonValue | undefined): DigestCredentials | undefined {
  const pair = pairOf(digestAuth, 'digest_auth');
  return pair === undefined ? undefined : { user: pair[0], password: pair[1] };
}

function pairOf(value: JsonValue | undefined, option: string): [user: string, password: string] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const list = jsonListOf(value)?.map(optionText);
  if (list?.length === 0) return undefined;
  const [user = '', ...rest] = list ?? optionText(value).split(':');
  if (list === undefined && rest.length === 0)
    throw new PermanentJobError(`${option}: use ["user", "password"] or user:password`);
  return [user, rest.join(':')];
}
