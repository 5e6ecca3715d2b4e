import { createHash, createHmac } from 'node:crypto';
import { signedJwt } from '../signed-token.js';
import { bytesOf, hexDigit, textOfBytes } from '../../platform/text/byte-text.js';
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
  jwt_sign: (claims, { args: [key, algorithm, headers], named, checkTime }) => {
    checkTime();
    return signedJwt({ claims, key, algorithm, headers, named });
  },
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
