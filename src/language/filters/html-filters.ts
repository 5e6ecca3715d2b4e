import { replaceEach } from './replace-each.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { textOf } from '../values/values.js';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const CHARACTERS = Object.fromEntries(
  Object.entries(ENTITIES).map(([character, entity]) => [entity, character]),
);

export const htmlFilters: FilterTable = {
  escape: replacing(/[&<>"']/g, entityOf),
  xml_escape: replacing(/[&<>"']/g, entityOf),
  escape_once: replacing(/&(?!(?:[a-zA-Z]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)|[<>"']/g, entityOf),
  unescape: replacing(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity),
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

/** Returns a text without tags, in one pass: an end that was not found is not searched for again. */
function withoutMarkup(html: string): string {
  const lower = html.toLowerCase();
  // Lower-casing changes the length of a few letters; the indexes would then differ.
  const searched = lower.length === html.length ? lower : html;
  const exhausted = new Set<string>();
  const endAfter = (end: string, from: number): number => {
    const at = exhausted.has(end) ? -1 : searched.indexOf(end, from);
    if (at === -1) exhausted.add(end);
    return at === -1 ? -1 : at + end.length;
  };
  const parts: string[] = [];
  let position = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', position)) {
    const block = BLOCKS.find(({ start }) => searched.startsWith(start, open));
    const blockEnd = block === undefined ? -1 : endAfter(block.end, open);
    const end = blockEnd === -1 ? endAfter('>', open) : blockEnd;
    if (end === -1) break;
    parts.push(html.slice(position, open));
    position = end;
  }
  parts.push(html.slice(position));
  return parts.join('');
}
