/** The parser keeps shorter ones at little cost. */
const LONG_CHARACTERS = 1_000;
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Start and end of each markup. */
const MARKUP: readonly [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Returns the document with nothing but the line breaks of its long comments: the parser takes each `-` of a comment by
 * itself, and much memory for it. Comments that are not well-formed stay, and documents with a document type.
 */
export function withoutLongComments(document: string): string {
  if (document.length < LONG_CHARACTERS || document.includes('<!DOCTYPE')) return document;
  const kept: string[] = [];
  let end = 0;
  for (let at = document.indexOf('<'); at !== -1; at = document.indexOf('<', at)) {
    const [start = '<', close = ''] = MARKUP.find(([mark]) => document.startsWith(mark, at)) ?? [];
    const closeAt = document.indexOf(close, at + start.length);
    if (closeAt === -1) break;
    if (start === '<!--' && isLong(document, at + start.length, closeAt)) {
      kept.push(document.slice(end, at + start.length), lineBreaksIn(document.slice(at, closeAt)));
      end = closeAt;
    }
    at = closeAt + close.length;
  }
  return kept.join('') + document.slice(end);
}

function isLong(document: string, from: number, to: number): boolean {
  if (to - from < LONG_CHARACTERS) return false;
  const comment = document.slice(from, to);
  return !comment.includes('--') && !comment.endsWith('-') && !NO_CHARACTER.test(comment);
}

function lineBreaksIn(text: string): string {
  return text.replace(/[^\n]+/g, '');
}
