import { createHash, createHmac } from 'node:crypto';
import { signedJwt } from '../signed-token.js';
import { bytesOf, hexDigit, textOfBytes } from '../../platform/text/byte-text.js';
import { replaceEach } from './lists/replace-each.js';
import type { FilterCall, FilterTable, ValueFilter } from './value-filter.js';
import { TemplateError } from '../../platform/text/template-error.js';
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
  base64_url_safe_encode: (value) =>
    bytesOf(textOf(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  base64_url_safe_decode: (value) => textOfBytes(Buffer.from(textOf(value), 'base64url')),
  url_encode: (value, call) => formEncoded(textOf(value), call),
  url_decode: (value) => percentDecoded(textOf(value).replaceAll('+', ' ')),
  cgi_escape: (value, call) => formEncoded(textOf(value), call),
  uri_escape: (value, call) => formEncoded(textOf(value), call),
  hex_encode: (value) => bytesOf(textOf(value)).toString('hex'),
  hex_decode: (value) => fromHex(textOf(value)),
  jwt_sign: (claims, { args: [key, algorithm, headers], named, checkTime }) => {
    checkTime();
    return signedJwt({ claims, key, algorithm, headers, named });
  },
};

/** An odd last digit is the first half of a byte, as in Ruby's `pack`. */
function fromHex(text: string): string {
  if (!/^[0-9a-fA-F]*$/.test(text)) throw new TemplateError('not hexadecimal digits');
  return textOfBytes(Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex'));
}

/** Like Ruby's `CGI.escape`; bytes that are no text are encoded as they are. */
function formEncoded(text: string, { checkTime }: FilterCall): string {
  return replaceEach(text, /[ ]|[^A-Za-z0-9_.~ -]{1,100}/gu, { by: formCodes, checkTime });
}

function formCodes(text: string): string {
  return text === ' ' ? '+' : percentCodes(text);
}

/** Encodes what no address may have; what has a meaning in one, and codes, stay as they are. */
export function addressEscaped(text: string, { checkTime }: Pick<FilterCall, 'checkTime'>): string {
  const unsafe = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]{1,100}/gu;
  return replaceEach(text, unsafe, { by: percentCodes, checkTime });
}

/** Encodes every byte of a text, as another encoding of spaces than `+`: `%20`. */
export function percentEncoded(text: string, { checkTime }: Pick<FilterCall, 'checkTime'>): string {
  return replaceEach(text, /[^A-Za-z0-9_.~-]{1,100}/gu, { by: percentCodes, checkTime });
}

function percentCodes(text: string): string {
  return [...bytesOf(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
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
