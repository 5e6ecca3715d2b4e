import { TemplateError } from '../../platform/text/template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { characterCount, sliceCharacters } from '../../platform/text/code-points.js';
import { countText, firstPlace, lastPlace, splitText } from '../../platform/text/find-text.js';
import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { shortened } from '../../platform/text/shortened.js';
import { isNothing, listOf, numberOf, textOf } from '../values/values.js';
import { replaceEach } from './lists/replace-each.js';

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
  normalize_whitespace: (value, call) => withSingleSpaces(textOf(value).trim(), call),
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
  truncate: (value, { args }) =>
    truncated(textOf(value), integerArgument(args, 0, 50), args.length < 2 ? '...' : textOf(args[1])),
  truncatewords: (value, call) => truncatedWords(textOf(value), integerArgument(call.args, 0, 15), call),
  slice: (value, { args: [start, length] }) =>
    slice(value, integerArgument([start], 0, 0), isGiven(length) ? integerArgument([length], 0, 1) : 1),
  number_of_words: (value, call) => countWords(textOf(value), textOf(call.args[0]), call),
  slugify: (value, { args: [mode], checkTime }) => slug(textOf(value), textOf(mode) || 'default', checkTime),
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
  return (
    withSingleSpaces(text.slice(0, end).trimStart(), call) +
    (call.args.length < 2 ? '...' : textOf(call.args[1]))
  );
}

/** False counts as not given, as in Ruby. */
function isGiven(argument: unknown): boolean {
  return !isNothing(argument) && argument !== false;
}

/** @throws TemplateError for an argument that is given but is no number, such as a missing reference. */
function integerArgument(args: readonly unknown[], index: number, fallback: number): number {
  if (index >= args.length) return fallback;
  const text = textOf(args[index]);
  if (/^\s*[-+]?\.?\d/.test(text)) return Math.trunc(numberOf(args[index]));
  throw new TemplateError(`"${shortened(text, 100)}" is not a whole number`);
}

const CJK = '\\p{Script=Han}\\p{Script=Katakana}\\p{Script=Hiragana}\\p{Script=Hangul}';

/** Jekyll's modes: `cjk` counts each Chinese, Japanese and Korean character as a word, `auto` does so if there are any. */
function countWords(text: string, mode: string, call: FilterCall): number {
  const isCjk = mode === 'cjk' || (mode === 'auto' && new RegExp(`[${CJK}]`, 'u').test(text));
  if (!isCjk) return firstWords(text, Number.POSITIVE_INFINITY, call).count;
  const word = new RegExp(`[${CJK}]|[^${CJK}\\s]+`, 'gu');
  let count = 0;
  while (word.test(text)) {
    count += 1;
    if (count % WORDS_BETWEEN_CHECKS === 0) call.checkTime();
  }
  return count;
}

/** Characters that each mode of Jekyll's `slugify` replaces by a hyphen. */
const SLUG_GAPS = new Map([
  ['raw', /\s+/gu],
  ['default', /[^\p{M}\p{L}\p{Nd}]+/gu],
  ['pretty', /[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu],
  ['ascii', /[^A-Za-z0-9]+/gu],
  ['latin', /[^\p{M}\p{L}\p{Nd}]+/gu],
]);

/** Another mode, such as `none`, only lower-cases. */
function slug(text: string, mode: string, checkTime: () => void): string {
  const gaps = SLUG_GAPS.get(mode);
  if (gaps === undefined) return text.toLowerCase();
  const given = mode === 'latin' ? withoutAccents(text) : text;
  return replaceEach(given.toLowerCase(), gaps, { by: () => '-', checkTime }).replace(/^-|-$/g, '');
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae');
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
