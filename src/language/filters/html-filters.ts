import { decodeHTML } from 'entities';
import { replaceEach } from './lists/replace-each.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { textOf } from '../values/values.js';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const htmlFilters: FilterTable = {
  escape: replacing(/[&<>"']/g, entityOf),
  h: replacing(/[&<>"']/g, entityOf),
  xml_escape: replacing(/[&<>"']/g, entityOf),
  escape_once: replacing(/&(?!(?:[a-zA-Z]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)|[<>"']/g, entityOf),
  unescape: replacing(/&(?:[A-Za-z][A-Za-z0-9]{0,40}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g, decodeHTML),
  newline_to_br: replacing(/\r?\n/g, () => '<br />\n'),
  strip_html: (value) => withoutMarkup(textOf(value)),
};

function replacing(pattern: RegExp, by: (match: string) => string) {
  return (value: unknown, { checkTime }: FilterCall) =>
    replaceEach(textOf(value), pattern, { by, checkTime });
}

function entityOf(character: string): string {
  return ENTITIES[character] ?? character;
}

/** Start and end of comments, and of elements whose content is not text. */
const BLOCKS = [
  { start: '<script', end: '</script>' },
  { start: '<style', end: '</style>' },
  { start: '<!--', end: '-->' },
];
const TAG = { start: '<', end: '>' };

/** Returns a text without tags: first without the blocks, then without all other tags, as Ruby's Liquid does it. */
function withoutMarkup(html: string): string {
  return without(without(html, BLOCKS), [TAG]);
}

/** Removes the pieces in one pass: an end that was not found is not searched for again. */
function without(html: string, pieces: { start: string; end: string }[]): string {
  const lower = html.toLowerCase();
  // Lower-casing changes the length of a few letters; the indexes would then differ.
  const searched = lower.length === html.length ? lower : html;
  const exhausted = new Set<string>();
  const parts: string[] = [];
  let position = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', Math.max(position, open + 1))) {
    const piece = pieces.find(({ start, end }) => !exhausted.has(end) && searched.startsWith(start, open));
    if (piece === undefined) continue;
    const end = searched.indexOf(piece.end, open + piece.start.length);
    if (end === -1) exhausted.add(piece.end);
    else {
      parts.push(html.slice(position, open));
      position = end + piece.end.length;
    }
  }
  parts.push(html.slice(position));
  return parts.join('');
}
