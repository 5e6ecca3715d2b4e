import { TemplateError } from '../template.js';
import type { FilterTable } from './value-filter.js';
import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { isNothing, listOf, numberOf, textOf } from '../values.js';

/** Filters on text, with the answers of Liquid's own. */
export const textFilters: FilterTable = {
  append: (value, { args: [tail] }) => textOf(value) + textOf(tail),
  prepend: (value, { args: [head] }) => textOf(head) + textOf(value),
  upcase: (value) => textOf(value).toUpperCase(),
  downcase: (value) => textOf(value).toLowerCase(),
  capitalize: (value) => capitalised(textOf(value)),
  strip: (value) => textOf(value).trim(),
  lstrip: (value) => textOf(value).trimStart(),
  rstrip: (value) => textOf(value).trimEnd(),
  squish: (value) => textOf(value).trim().split(/\s+/).join(' '),
  normalize_whitespace: (value) => textOf(value).split(/\s+/).join(' '),
  strip_newlines: (value) => textOf(value).replace(/\r?\n/g, ''),
  replace: (value, { args: [search, by] }) => replaceAll(textOf(value), textOf(search), textOf(by)),
  remove: (value, { args: [search] }) => replaceAll(textOf(value), textOf(search), ''),
  replace_first: (value, { args: [search, by] }) =>
    replaceAt(textOf(value), textOf(search), textOf(by), 'first'),
  replace_last: (value, { args: [search, by] }) =>
    replaceAt(textOf(value), textOf(search), textOf(by), 'last'),
  remove_first: (value, { args: [search] }) => replaceAt(textOf(value), textOf(search), '', 'first'),
  remove_last: (value, { args: [search] }) => replaceAt(textOf(value), textOf(search), '', 'last'),
  split: (value, { args: [separator] }) => split(textOf(value), textOf(separator)),
  truncate: (value, { args: [length, ellipsis] }) =>
    truncated(textOf(value), length === undefined ? 50 : numberOf(length), textOf(ellipsis ?? '...')),
  truncatewords: (value, { args: [count, ellipsis] }) =>
    truncatedWords(textOf(value), count === undefined ? 15 : numberOf(count), textOf(ellipsis ?? '...')),
  slice: (value, { args: [start, length] }) =>
    slice(value, numberOf(start), length === undefined ? 1 : numberOf(length)),
  number_of_words: (value) =>
    textOf(value)
      .split(/\s+/)
      .filter((word) => word !== '').length,
  slugify: (value) =>
    textOf(value)
      .toLowerCase()
      .replace(/[^\p{M}\p{L}\p{Nd}]+/gu, '-')
      .replace(/^-|-$/g, ''),
};

function capitalised(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Every occurrence; the size of the result is known before it is made. */
function replaceAll(text: string, search: string, by: string): string {
  const growth = by.length - search.length;
  if (growth > 0 && text.length + countOf(text, search) * growth > MAX_OUTPUT_CHARACTERS) {
    throw new TemplateError(`the result is longer than ${MAX_OUTPUT_CHARACTERS} characters`);
  }
  return text.replaceAll(search, () => by);
}

/** How often a text has another, without overlaps. */
export function countOf(text: string, search: string): number {
  if (search === '') return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) count += 1;
  return count;
}

function replaceAt(text: string, search: string, by: string, which: 'first' | 'last'): string {
  const at = which === 'first' ? text.indexOf(search) : text.lastIndexOf(search);
  return at === -1 ? text : text.slice(0, at) + by + text.slice(at + search.length);
}

/** Like Ruby's `split`: a single space means any white space, and empty texts at the end go. */
function split(text: string, separator: string): string[] {
  if (separator === ' ') return text.split(/\s+/).filter((part) => part !== '');
  // Code points, not halves of them.
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  const length = parts.findLastIndex((part) => part !== '') + 1;
  return parts.slice(0, length);
}

function truncated(text: string, length: number, ellipsis: string): string {
  const characters = Array.from(text.slice(0, Math.max(length, 0) * 2 + 2));
  if (characters.length <= length) return text;
  return characters.slice(0, Math.max(length - Array.from(ellipsis).length, 0)).join('') + ellipsis;
}

function truncatedWords(text: string, given: number, ellipsis: string): string {
  const count = Math.max(Math.trunc(given), 1);
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= count ? text : words.slice(0, count).join(' ') + ellipsis;
}

function slice(value: unknown, start: number, length: number): unknown {
  if (isNothing(value)) return '';
  const whole = Array.isArray(value) ? listOf(value) : characters(textOf(value));
  const from = start < 0 ? whole.length + start : start;
  const to = Math.max(from, from + length);
  const part = from < 0 ? whole.slice(0, 0) : whole.slice(from, to);
  return typeof part === 'string' || Array.isArray(value) ? part : part.join('');
}

/** Code points where the text has any beyond 16 bits, else the text itself: a list of millions is heavy. */
function characters(text: string): string | string[] {
  return /[\uD800-\uDBFF]/.test(text) ? Array.from(text) : text;
}
