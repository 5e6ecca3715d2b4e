import { charsetNamed } from '../text/charsets/charset-named.js';

/** A coding that this server can undo. */
export type ContentCoding = 'gzip' | 'x-gzip' | 'deflate' | 'br';

const CODINGS: ReadonlySet<string> = new Set<ContentCoding>(['gzip', 'x-gzip', 'deflate', 'br']);
/** Values of senders that are no coding: the names of transfer encodings, and words for nothing. */
const NO_CODINGS = new Set([
  '',
  '7bit',
  '8bit',
  'binary',
  'chunked',
  'identity',
  'json',
  'none',
  'null',
  'plain',
  'raw',
  'text',
  'undefined',
  'unicode',
]);
/** Most nested codings; an honest body has fewer. */
const MAX_CODINGS = 3;
const MAX_CHARACTERS = 200;

/**
 * Returns the codings of `Content-Encoding` (RFC 9110 §8.4), in the order in which they are to be undone. A charset, a media
 * type, `none` or `binary` is no coding, and says nothing of the bytes. Undefined if a coding is unknown here, or there are
 * too many.
 */
export function contentCodings(header = ''): ContentCoding[] | undefined {
  if (header.length > MAX_CHARACTERS) return undefined;
  const words = header.split(',').map((word) =>
    word
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase(),
  );
  const named = words.filter((word) => !isNoCoding(word));
  if (named.length > MAX_CODINGS || !named.every(isCoding)) return undefined;
  return named.toReversed();
}

function isCoding(word: string): word is ContentCoding {
  return CODINGS.has(word);
}

function isNoCoding(word: string): boolean {
  return NO_CODINGS.has(word) || /^(?:charset=|[\w.+-]+\/)/.test(word) || charsetNamed(word) !== undefined;
}
