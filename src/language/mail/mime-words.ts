import { decode as decodeBase64 } from 'libbase64';
import { decode as decodeQuotedPrintable } from 'libqp';
import { decodeLeniently } from '../../platform/text/charsets/decode-bytes.js';

/** An encoded word (RFC 2047 §2): character set, language, encoding, and text. Spaces in it are a common fault. */
const WORD = /=\?([^?*\s]{1,80})(?:\*[^?\s]{0,80})?\?([bq])\?([^?]*)\?=/gi;

/** Returns a header's text with its encoded words decoded: `=?utf-8?Q?caf=C3=A9?=`. */
export function decodeWords(text: string): string {
  const decoded: string[] = [];
  // Adjacent words of one character set are joined as bytes: many senders split a character over two words.
  let open: { charset: string; bytes: Buffer[] } | undefined;
  const close = () => {
    if (open !== undefined) decoded.push(decodeLeniently(Buffer.concat(open.bytes), open.charset));
    open = undefined;
  };
  let end = 0;
  for (const word of text.matchAll(WORD)) {
    const [whole, charset = '', encoding = '', content = ''] = word;
    const between = text.slice(end, word.index);
    // White space between two encoded words is not part of the text.
    const isAdjacent = open !== undefined && between.trim() === '';
    if (!isAdjacent || open?.charset !== charset.toLowerCase()) {
      close();
      if (!isAdjacent) decoded.push(between);
      open = { charset: charset.toLowerCase(), bytes: [] };
    }
    open.bytes.push(encoding.toLowerCase() === 'b' ? decodeBase64(content) : decodeQ(content));
    end = word.index + whole.length;
  }
  close();
  return decoded.join('') + text.slice(end);
}

/** Returns the bytes of a word in encoding `Q` (RFC 2047 §4.2). */
export function decodeQ(content: string): Buffer {
  return decodeQuotedPrintable(
    Buffer.from(content.replaceAll('_', ' ').replace(/=\s{1,10}(?=[0-9a-f])/gi, '=')),
  );
}
