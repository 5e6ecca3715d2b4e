import { isUtf8 } from 'node:buffer';
import { PayloadTooLarge } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { hexDigit } from '../../../platform/text/byte-text.js';
import { charsetNamed } from '../../../platform/text/charsets/charset-named.js';
import { decodeBytes, decodePiece, isMarked } from '../../../platform/text/charsets/decode-bytes.js';
import { formCharset, isWideCharset } from './form-charset.js';
import { setNested } from './nested-names.js';

const MAX_PARAMETERS = 10_000;

/** Parses an `application/x-www-form-urlencoded` body. @throws as `parseParameters`. */
export function parseFormBody(bytes: Buffer, charset: string | undefined): JsonObject {
  const isWide = charset !== undefined && isWideCharset(charsetNamed(charset)?.name ?? '');
  const text = isWide || isMarked(bytes) ? decodeBytes(bytes, charset) : undefined;
  return text === undefined
    ? parseParameters(bytes.toString('latin1'), charset)
    : parseParameters(Buffer.from(text).toString('latin1'));
}

/**
 * Parses `a=1&b[]=2` (a query string, or a form) into an object, names nested as in Rails. The text has one character
 * for each byte. Broken percent-encoding is tolerated. Bytes that are not text in the charset of the form (UTF-8 if it
 * names none) count as windows-1252.
 * @throws PayloadTooLarge for more than 10,000 parameters, BadRequest for names nested too deep.
 */
export function parseParameters(latin1: string, charset?: string): JsonObject {
  const parameters: JsonObject = {};
  if (latin1 === '') return parameters;
  const pairs = latin1.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw new PayloadTooLarge(`More than ${MAX_PARAMETERS} parameters`);
  }
  const fields = pairs.filter((pair) => pair !== '').map(fieldOf);
  const label = formCharset(charset, charsetFields(fields), () =>
    fields.every((field) => field.every((part) => isUtf8(part))),
  );
  for (const [name, value] of fields)
    setNested(parameters, decodePiece(name, label), decodePiece(value, label));
  return parameters;
}

type Field = [name: Buffer, value: Buffer];

function fieldOf(pair: string): Field {
  const equals = pair.indexOf('=');
  const name = equals === -1 ? pair : pair.slice(0, equals);
  const value = equals === -1 ? '' : pair.slice(equals + 1);
  return [unescaped(name), unescaped(value)];
}

function charsetFields(fields: Field[]): Map<string, Buffer> {
  const short = fields.filter(
    ([name]) => name.length === '_charset_'.length || name.length === 'charset'.length,
  );
  return new Map(short.map(([name, value]) => [name.toString('latin1'), value]));
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** Returns the bytes that `+` and `%` codes stand for; a `%` without a valid code stays. */
function unescaped(latin1: string): Buffer {
  const bytes = Buffer.from(latin1, 'latin1');
  if (!/[%+]/.test(latin1)) return bytes;
  let length = 0;
  for (let at = 0; at < bytes.length; length += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    // Decoding in place is safe: the output is never longer than the input read.
    bytes[length] = low !== -1 ? high * 16 + low : byte === PLUS ? SPACE : byte;
    at += low === -1 ? 1 : 3;
  }
  return bytes.subarray(0, length);
}
