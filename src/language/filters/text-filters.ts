import { TemplateError } from '../template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { characterCount, sliceCharacters } from '../../platform/text/code-points.js';
import { countText, firstPlace, lastPlace, splitText } from '../../platform/text/find-text.js';
import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { isNothing, listOf, numberOf, textOf } from '../values/values.js';
import { replaceEach } from './replace-each.js';

const WORDS_BETWEEN_CHECKS = 1_024;

/** Filters on text, with the same results as Liquid's own. */
export const textFilters: FilterTable = {
  append: (value, { args: [tail] }) => textOf(value) + textOf(tail),
  prepend: (value, { args: [head] }) => textOf(head) + textOf(value),
  upcase: (value) => textOf(value).toUpperCase(),
  downcase: (value) => textOf(value).toLowerCase(),
  capitalize: (value) => capitalised(textOf(value)),
  strip: (value) => textOf(value).trim(),
  lstrip: (value) => textOf(value).trimStart(),
  rstrip: (value) => textOf(value).trimEnd(),
  squish: (value, call) => withSingleSpaces(textOf(value).trim(), call),
  normalize_whitespace: (value, call) => withSingleSpaces(textOf(value), call),
  strip_newlines: (value) => textOf(value).replace(/\r?\n/g, ''),
  replace: (value, { args: [search, by] }) => replaceAll(textOf(value), textOf(search), textOf(by)),
  remove: (value, { args: [search] }) => replaceAll(textOf(value), textOf(search), ''),
  replace_first: (value, { args: [search, by] }) =>
    replaceAt(textOf(value), textOf(search), textOf(by), 'first'),
  replace_last: (value, { args: [search, by] }) =>
    replaceAt(textOf(value), textOf(search), textOf(by), 'last'),
  remove_first: (value, { args: [search] }) => replaceAt(textOf(value), textOf(search), '', 'first'),
  remove_last: (value, { args: [search] }) => replaceAt(textOf(value), textOf(search), '', 'last'),
  split: (value, call) => split(textOf(value), textOf(call.args[0]), call),
  truncate: (value, { args: [length, ellipsis] }) =>
    truncated(textOf(value), length === undefined ? 50 : numberOf(length), textOf(ellipsis ?? '...')),
  truncatewords: (value, call) =>
    truncatedWords(textOf(value), call.args[0] === undefined ? 15 : numberOf(call.args[0]), call),
  slice: (value, { args: [start, length] }) =>
    slice(value, numberOf(start), length === undefined ? 1 : numberOf(length)),
  number_of_words: (value, call) => firstWords(textOf(value), Number.POSITIVE_INFINITY, call).count,
  slugify: (value, { checkTime }) => {
    const lower = textOf(value).toLowerCase();
    return replaceEach(lower, /[^\p{M}\p{L}\p{Nd}]+/gu, { by: () => '-', checkTime }).replace(/^-|-$/g, '');
  },
};

function capitalised(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Replaces every occurrence; checks the size of the result before creating it. */
function replaceAll(text: string, search: string, by: string): string {
  const growth = by.length - search.length;
  if (growth > 0 && text.length + countText(text, search) * growth > MAX_OUTPUT_CHARACTERS) {
    throw new TemplateError(`the result is longer than ${MAX_OUTPUT_CHARACTERS} characters`);
  }
  if (text === '') return search === '' ? by : '';
  // Much faster than `replaceAll` for millions of matches.
  const joined = splitText(text, search).join(by);
  return search === '' ? by + joined + by : joined;
}

function replaceAt(text: string, search: string, by: string, which: 'first' | 'last'): string {
  const at = which === 'first' ? firstPlace(text, search) : lastPlace(text, search);
  return at === -1 ? text : text.slice(0, at) + by + text.slice(at + search.length);
}

/** Like Ruby's `split`: a single space matches any white space, and empty texts at the end are dropped. */
function split(text: string, separator: string, { charge }: FilterCall): string[] {
  charge(separator === ' ' ? countWhiteSpace(text) : countText(text, separator));
  if (separator === ' ') return text.split(/\s+/).filter((part) => part !== '');
  // By code points, not by surrogates.
  const parts = separator === '' ? Array.from(text) : splitText(text, separator);
  const length = parts.findLastIndex((part) => part !== '') + 1;
  return parts.slice(0, length);
}

function countWhiteSpace(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) <= 0x20) count += 1;
  return count;
}

function truncated(text: string, length: number, ellipsis: string): string {
  if (characterCount(text.slice(0, Math.max(length, 0) * 2 + 2)) <= length) return text;
  return sliceCharacters(text, 0, length - characterCount(ellipsis)) + ellipsis;
}

function withSingleSpaces(text: string, { checkTime }: FilterCall): string {
  return replaceEach(text, /\s+/g, { by: () => ' ', checkTime });
}

/** Returns the number of words, at most `most`, and the end index of the last one. */
function firstWords(text: string, most: number, { checkTime }: FilterCall): { count: number; end: number } {
  const word = /\S+/g;
  let [count, end] = [0, 0];
  while (count < most && word.test(text)) {
    count += 1;
    end = word.lastIndex;
    if (count % WORDS_BETWEEN_CHECKS === 0) checkTime();
  }
  return { count, end };
}

function truncatedWords(text: string, given: number, call: FilterCall): string {
  const most = Math.max(Math.trunc(given), 1);
  const { end } = firstWords(text, most, call);
  if (!/\S/.test(text.slice(end))) return text;
  return withSingleSpaces(text.slice(0, end).trimStart(), call) + textOf(call.args[1] ?? '...');
}

function slice(value: unknown, start: number, length: number): unknown {
  if (isNothing(value)) return '';
  const whole = Array.isArray(value) ? listOf(value) : textOf(value);
  const size = typeof whole === 'string' ? characterCount(whole) : whole.length;
  const from = Math.trunc(start < 0 ? size + start : start);
  const to = from < 0 ? from : from + Math.max(Math.trunc(length), 0);
  return typeof whole === 'string'
    ? sliceCharacters(whole, from, to)
    : whole.slice(Math.max(from, 0), Math.max(to, 0));
}
