import { bytesOf, textOfBytes } from '../../text/byte-text.js';

/** Bytes as text in a character set that a mail names; UTF-8 where it names none, or one nobody knows. */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return textOfBytes(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return textOfBytes(bytes);
    throw error;
  }
}

/** `=C3=A9` → bytes; a `=` at the end of a line joins it with the next. Takes bytes as latin-1 text. */
export function decodeQuotedPrintable(latin1: string): Buffer {
  const joined = latin1.replace(/=[ \t]{0,100}\r?\n/g, '');
  const decoded = joined.replace(/=([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

const WORD = /=\?([\w-]{1,40})(?:\*[\w-]{0,40})?\?([bq])\?([^?\s]{0,1000})\?=/gi;

/** A header's text with its encoded words (RFC 2047) read: `=?utf-8?Q?caf=C3=A9?=`. */
export function decodeWords(latin1: string): string {
  const text = textOfBytes(Buffer.from(latin1, 'latin1'));
  // White space between two encoded words is not part of the text.
  const joined = text.replace(/(\?=)\s{1,100}(?==\?[\w*-]{1,80}\?[bq]\?)/gi, '$1');
  return joined.replace(WORD, (_, charset: string, encoding: string, content: string) => {
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64')
        : decodeQuotedPrintable(bytesOf(content.replaceAll('_', ' ')).toString('latin1'));
    return decodeCharset(bytes, charset);
  });
}
