import { createHash, createHmac } from 'node:crypto';
import { TemplateError } from '../template-error.js';
import { bytesOf, hexDigit, textOfBytes } from '../../platform/text/byte-text.js';
import { shortened } from '../values/shortened.js';
import { replaceEach } from './replace-each.js';
import type { FilterCall, FilterTable, ValueFilter } from './value-filter.js';
import { textOf } from '../values/values.js';

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

/** `sha256`, `sha256_base64`, `hmac_sha256: key`, `hmac_sha256_base64: key` … of a text's bytes. */
export const digestFilters: FilterTable = Object.fromEntries(
  HASHES.flatMap((hash): [string, ValueFilter][] => [
    [
      hash,
      (value) =>
        createHash(hash)
          .update(bytesOf(textOf(value)))
          .digest('hex'),
    ],
    [
      `${hash}_base64`,
      (value) =>
        createHash(hash)
          .update(bytesOf(textOf(value)))
          .digest('base64'),
    ],
    [`hmac_${hash}`, (value, { args: [key] }) => hmac(hash, value, key).digest('hex')],
    [`hmac_${hash}_base64`, (value, { args: [key] }) => hmac(hash, value, key).digest('base64')],
  ]),
);

function hmac(hash: string, value: unknown, key: unknown) {
  return createHmac(hash, bytesOf(textOf(key))).update(bytesOf(textOf(value)));
}

export const encodingFilters: FilterTable = {
  base64_encode: (value) => bytesOf(textOf(value)).toString('base64'),
  base64_decode: (value) => textOfBytes(Buffer.from(textOf(value), 'base64')),
  base64url_encode: (value) => bytesOf(textOf(value)).toString('base64url'),
  base64url_decode: (value) => textOfBytes(Buffer.from(textOf(value), 'base64url')),
  url_encode: (value, call) => formEncoded(textOf(value), call),
  url_decode: (value) => percentDecoded(textOf(value).replaceAll('+', ' ')),
  cgi_escape: (value, call) => formEncoded(textOf(value), call),
  uri_escape: (value) => encodeURI(wellFormed(textOf(value))),
  jwt_sign: (value, { args: [key, algorithm] }) =>
    signedJwt(value, textOf(key), textOf(algorithm ?? 'HS256')),
};

/** Like Ruby's `CGI.escape`. */
function formEncoded(text: string, { checkTime }: FilterCall): string {
  return replaceEach(encodeURIComponent(wellFormed(text)), /%20|[!'()*]/g, {
    by: (found) => (found === '%20' ? '+' : `%${found.charCodeAt(0).toString(16).toUpperCase()}`),
    checkTime,
  });
}

/** Replaces unpaired surrogates, which have no UTF-8 form, by U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

const PERCENT = 0x25;

/** Decodes `%` codes; a `%` without a valid code stays unchanged. */
function percentDecoded(text: string): string {
  const bytes = bytesOf(text);
  let length = 0;
  for (let at = 0; at < bytes.length; length += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    const isCode = low !== -1;
    // Decoding in place is safe: the output is never longer than the input read.
    bytes[length] = isCode ? high * 16 + low : byte;
    at += isCode ? 3 : 1;
  }
  return textOfBytes(bytes.subarray(0, length));
}

const JWT_HASHES: ReadonlyMap<string, string> = new Map([
  ['HS256', 'sha256'],
  ['HS384', 'sha384'],
  ['HS512', 'sha512'],
]);

/** Returns a signed token (JWT) of the claims: an object, or its JSON text. */
function signedJwt(claims: unknown, key: string, algorithm: string): string {
  const hash = JWT_HASHES.get(algorithm);
  if (hash === undefined)
    throw new TemplateError(`the algorithm "${shortened(algorithm, 50)}" is not HS256, HS384 or HS512`);
  if (key === '') throw new TemplateError('the key is empty');
  const parts = [JSON.stringify({ alg: algorithm, typ: 'JWT' }), textOf(claims)];
  const content = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}
