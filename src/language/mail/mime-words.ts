import { bytesOf, hexDigit } from '../../platform/text/byte-text.js';
import { decodeLeniently } from '../../platform/text/charsets/decode-bytes.js';

const EQUALS = 0x3d;

/** Decodes `=C3=A9` to bytes; a `=` at the end of a line joins it with the next. Expects bytes as latin-1 text. */
export function decodeQuotedPrintable(latin1: string): Buffer {
  const bytes = Buffer.allocUnsafe(latin1.length);
  const softBreak = /=[ \t]{0,100}\r?\n/y;
  let length = 0;
  for (let at = 0; at < latin1.length; ) {
    const code = latin1.charCodeAt(at);
    const high = code === EQUALS ? hexDigit(latin1.charCodeAt(at + 1)) : -1;
    const low = high === -1 ? -1 : hexDigit(latin1.charCodeAt(at + 2));
    softBreak.lastIndex = at;
    if (code === EQUALS && low === -1 && softBreak.test(latin1)) at = softBreak.lastIndex;
    else {
      bytes[length++] = low === -1 ? code : high * 16 + low;
      at += low === -1 ? 1 : 3;
    }
  }
  return bytes.subarray(0, length);
}

const WORD = /=\?([\w-]{1,40})(?:\*[\w-]{0,40})?\?([bq])\?([^?\s]{0,1000})\?=/gi;

/** Returns a header's text with its encoded words (RFC 2047) decoded: `=?utf-8?Q?caf=C3=A9?=`. */
export function decodeWords(latin1: string): string {
  const text = decodeLeniently(Buffer.from(latin1, 'latin1'));
  // White space between two encoded words is not part of the text.
  const joined = text.replace(/(\?=)\s{1,100}(?==\?[\w*-]{1,80}\?[bq]\?)/gi, '$1');
  return joined.replace(WORD, (_, charset: string, encoding: string, content: string) => {
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64')
        : decodeQuotedPrintable(bytesOf(content.replaceAll('_', ' ')).toString('latin1'));
    return decodeLeniently(bytes, charset);
  });
}
