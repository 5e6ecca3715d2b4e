import { isUtf8 } from 'node:buffer';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import iconv from 'iconv-lite';
import { type Charset, charsetNamed } from './charset-named.js';
import { decodeShifted } from './shifted-charsets.js';

const UTF_8: Charset = { name: 'utf-8', source: 'standard' };

/**
 * Returns the text that the bytes are in the charset of this label (UTF-8 if there is none), or undefined if they are
 * not valid in it. A byte order mark wins over the label, and is no part of the text. With an unknown label, bytes that
 * are UTF-8 are text. Text never contains half of a surrogate pair.
 */
export function decodeBytes(bytes: Uint8Array, label?: string): string | undefined {
  return decodedStrictly(bytes, charsetOf(bytes, label) ?? UTF_8);
}

/**
 * Returns the text of bytes that have to become text, as those of a mail. Without a label, or with an unknown one, bytes
 * that are not UTF-8 count as windows-1252. Bytes that are invalid in the charset become U+FFFD each.
 */
export function decodeLeniently(bytes: Uint8Array, label?: string): string {
  const charset = charsetOf(bytes, label);
  if (charset === undefined || isAsciiLabel(label)) {
    return decodedStrictly(bytes, UTF_8) ?? decodedLoosely(bytes, WINDOWS_1252);
  }
  return decodedStrictly(bytes, charset) ?? decodedLoosely(bytes, charset);
}

/**
 * Returns the text of a name or a value: in the charset of the label, else UTF-8, else windows-1252. It has no byte
 * order mark of its own, as a document has.
 */
export function decodePiece(bytes: Uint8Array, label?: string): string {
  const charset = label === undefined ? undefined : charsetNamed(label);
  const text = charset === undefined ? undefined : decodedStrictly(bytes, charset);
  return text ?? decodedStrictly(bytes, UTF_8) ?? decodedLoosely(bytes, WINDOWS_1252);
}

/** Whether the bytes start with a byte order mark. */
export function isMarked(bytes: Uint8Array): boolean {
  return markedCharset(bytes) !== undefined;
}

const WINDOWS_1252: Charset = { name: 'windows-1252', source: 'standard' };

/** Bytes beyond ASCII show that such a label is wrong: today they are UTF-8 more often than windows-1252. */
function isAsciiLabel(label = ''): boolean {
  return /^["'\s]*(?:us-?)?ascii["'\s]*$/i.test(label);
}

function charsetOf(bytes: Uint8Array, label: string | undefined): Charset | undefined {
  const marked = markedCharset(bytes);
  if (marked !== undefined) return marked;
  const charset = label === undefined ? undefined : charsetNamed(label);
  return charset?.name === 'utf-16le' && !/le|unicode/i.test(label ?? '') ? utf16Of(bytes) : charset;
}

/** Returns the charset that a byte order mark at the start shows: UTF-8, UTF-16 or UTF-32. */
function markedCharset(bytes: Uint8Array): Charset | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return UTF_8;
  if (first === 0xff && second === 0xfe) {
    const isLong = third === 0 && fourth === 0 && bytes.length % 4 === 0;
    return isLong ? { name: 'utf32le', source: 'iconv' } : { name: 'utf-16le', source: 'standard' };
  }
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', source: 'standard' };
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) {
    return { name: 'utf32be', source: 'iconv' };
  }
  return undefined;
}

const SAMPLE_BYTES = 1024;

/** The label `utf-16` leaves the order of bytes open: spaces and ASCII have their zero first if it is big-endian. */
function utf16Of(bytes: Uint8Array): Charset {
  let zerosFirst = 0;
  let zerosSecond = 0;
  for (let at = 0; at + 1 < bytes.length && at < SAMPLE_BYTES; at += 2) {
    if (bytes[at] === 0) zerosFirst += 1;
    if (bytes[at + 1] === 0) zerosSecond += 1;
  }
  return { name: zerosFirst > zerosSecond ? 'utf-16be' : 'utf-16le', source: 'standard' };
}

function decodedStrictly(bytes: Uint8Array, charset: Charset): string | undefined {
  if (charset.name === 'utf-8') return isUtf8(bytes) ? decodedLoosely(bytes, charset) : undefined;
  if (charset.source === 'standard') return decodedByStandard(bytes, charset.name);
  const text = decodedLoosely(bytes, charset);
  return text.includes(REPLACEMENT) ? undefined : text;
}

function decodedByStandard(bytes: Uint8Array, name: string): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const REPLACEMENT = '\uFFFD';
const BYTE_ORDER_MARK = '\uFEFF';

function decodedLoosely(bytes: Uint8Array, charset: Charset): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (charset.name === 'utf-8') return withoutMark(buffer.toString('utf8'));
  if (charset.source === 'standard') return new TextDecoder(charset.name).decode(bytes);
  const text =
    charset.source === 'shifted' ? decodeShifted(buffer, charset.name) : iconv.decode(buffer, charset.name);
  return withoutMark(text.replace(/\p{Surrogate}/gu, REPLACEMENT));
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
