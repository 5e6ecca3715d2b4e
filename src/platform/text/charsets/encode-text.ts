import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { utf16fromString } from '@exodus/bytes/utf16.js';
import iconv from 'iconv-lite';
import { type Charset, charsetNamed } from './charset-named.js';

/** Receivers may take these labels at their word, and not for windows-1252. */
const LATIN_1 = /^["'\s]*(?:iso[-_]?8859[-_]?1|latin-?1|l1)["'\s]*$/i;
const ASCII = /^["'\s]*(?:us-?)?ascii["'\s]*$/i;

/**
 * Returns the bytes of a text in the charset of this label; undefined if the label is unknown, or the charset lacks one
 * of the characters.
 */
export function encodeText(text: string, label: string): Buffer | undefined {
  const charset = charsetNamed(label);
  if (charset === undefined || /\p{Surrogate}/u.test(text)) return undefined;
  if (charset.name === 'utf-8') return Buffer.from(text);
  const highest = LATIN_1.test(label) ? /^[\0-\xff]*$/ : ASCII.test(label) ? /^[\0-\x7f]*$/ : undefined;
  if (highest !== undefined) return highest.test(text) ? Buffer.from(text, 'latin1') : undefined;
  return charset.source === 'standard'
    ? encodedByStandard(text, charset.name, label)
    : encoded(text, charset);
}

const MULTIBYTE = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr']);

function encodedByStandard(text: string, name: string, label: string): Buffer | undefined {
  if (name === 'utf-16be') return asBuffer(utf16fromString(text, 'uint8-be'));
  // The label `utf-16` leaves the order of bytes open: a mark says it (RFC 2781 §3.3).
  if (name === 'utf-16le') {
    const marked = /le|unicode|ucs/i.test(label) ? text : `\uFEFF${text}`;
    return asBuffer(utf16fromString(marked, 'uint8-le'));
  }
  const create = MULTIBYTE.has(name) ? createMultibyteEncoder : createSinglebyteEncoder;
  try {
    return asBuffer(create(name, { mode: 'fatal' })(text));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** iconv-lite writes a question mark for what the charset lacks, so the bytes are decoded once more. */
function encoded(text: string, { name, source }: Charset): Buffer | undefined {
  if (source !== 'iconv') return undefined;
  const bytes = iconv.encode(text, name);
  return iconv.decode(bytes, name) === text ? bytes : undefined;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
