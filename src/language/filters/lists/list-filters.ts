import { createHash } from 'node:crypto';
import { randomBelow } from '../../../platform/runtime/clock-and-random.js';
import { characterCount, sliceCharacters } from '../../../platform/text/code-points.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { expressionOf, type FilterCall, type FilterTable } from '../value-filter.js';
import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { flattened } from './flattened.js';
import { isNothing, isRecord, jsonOf, listOf, numberOf, textOf, valueAt } from '../../values/values.js';
import { normalForm } from '../../values/normal-form.js';
import { sorter } from './sorting.js';

const LONGEST_KEY = 200;

/** Filters on lists. Paths may be nested: `map: 'scan.body.domain'`. */
export const listFilters: FilterTable = {
  first: firstOf,
  last: lastOf,
  size: sizeOf,
  join: (value, call) =>
    textsOf(flattened(value), call).join(call.args.length === 0 ? ' ' : textOf(call.args[0])),
  reverse: onList((list) => list.toReversed()),
  compact: onList(compacted),
  uniq: onList(unique),
  sort: onList((list, call) => sorter(list, (item) => at(item, call), { ignoreCase: false })),
  sort_natural: onList((list, call) => sorter(list, (item) => textKey(at(item, call)), { ignoreCase: true })),
  map: (value, call) => flattened(value).map((item) => propertyOf(item, call) ?? null),
  concat: (value, { args: [other] }) => [...flattened(value), ...listOf(other)],
  push: (value, { args: [item] }) => [...listOf(value), item],
  unshift: (value, { args: [item] }) => [item, ...listOf(value)],
  pop: (value, { args: [count] }) => {
    const list = listOf(value);
    return list.slice(0, Math.max(list.length - countOf(count), 0));
  },
  shift: (value, { args: [count] }) => listOf(value).slice(countOf(count)),
  sample: (value, { args: [count] }) =>
    Array.isArray(value) ? sample(listOf(value), countOf(count)) : value,
  group_by: (value, call) => grouped(listOf(value), (item) => at(item, call)),
  group_by_exp: (value, call) => grouped(listOf(value), expressionOf(call)),
  array_to_sentence_string: (value, call) =>
    sentence(textsOf(listOf(value), call), textOf(call.args[0] ?? 'and')),
};

/** In Ruby's `sort_natural` numbers are texts: 10 comes before 9. */
function textKey(value: unknown): string | undefined {
  return isNothing(value) ? undefined : textOf(value);
}

/** A value that is not a list stays unchanged: `{{ "ips" | uniq }}` is `ips`. */
function onList(change: (list: unknown[], call: FilterCall) => unknown[]) {
  return (value: unknown, call: FilterCall): unknown =>
    Array.isArray(value) ? change(flattened(value), call) : value;
}

/** Returns the first element of a list, character of a text, or pair of an object. */
function firstOf(value: unknown): unknown {
  if (typeof value === 'string') return sliceCharacters(value, 0, 1);
  if (Array.isArray(value)) return value[0];
  return isRecord(value) ? Object.entries(value)[0] : undefined;
}

function lastOf(value: unknown): unknown {
  if (typeof value === 'string')
    return sliceCharacters(value, characterCount(value) - 1, characterCount(value));
  return Array.isArray(value) ? value.at(-1) : undefined;
}

/** Returns how many elements `pop: 2` and the like mean, 1 by default. */
function countOf(given: unknown): number {
  return given === undefined ? 1 : Math.max(Math.trunc(numberOf(given)), 0);
}

/** Returns a random element, or several of them as a list. */
function sample(list: unknown[], count: number): unknown {
  if (count === 1) return list.length === 0 ? undefined : list[randomBelow(list.length)];
  const rest = [...list];
  const length = Math.min(count, rest.length);
  return Array.from({ length }, () => rest.splice(randomBelow(rest.length), 1)[0]);
}

/** Returns the list without null, or without elements whose value at the path is null. */
export function compacted(list: unknown[], call: FilterCall): unknown[] {
  return list.filter((item) => !isNothing(at(item, call)));
}

/** Returns an element's value at the path in the first argument; the element itself without one. */
function at(item: unknown, { args: [path], checkTime }: FilterCall): unknown {
  checkTime();
  return isNothing(path) ? item : valueAt(item, textOf(path));
}

/** Returns an element's value at the path in the first argument; undefined without one. */
export function propertyOf(item: unknown, call: FilterCall): unknown {
  const value = at(item, call);
  return isNothing(call.args[0]) ? undefined : value;
}

/** Returns the elements as texts, limited together with one separator each. */
function textsOf(list: unknown[], { args: [separator], checkTime }: FilterCall): string[] {
  let length = 0;
  return list.map((item) => {
    checkTime();
    const text = textOf(item);
    length += text.length + textOf(separator).length;
    if (length > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the result is too long');
    return text;
  });
}

/** Returns the characters of a text, elements of a list, keys of an object; otherwise 0. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

/** Returns the first of all elements with the same value, or the same value at the path. */
export function unique(list: unknown[], call: FilterCall): unknown[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = equalityKeyOf(at(item, call));
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the same text for values of equal type and content; the order of keys makes no difference. */
export function equalityKeyOf(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}` : jsonOf(normalForm(value));
  // A list may contain a large value many times: its keys must stay small.
  return text.length > LONGEST_KEY ? createHash('sha256').update(text).digest('base64') : text;
}

function grouped(list: unknown[], read: (item: unknown) => unknown): unknown[] {
  const groups = new Map<string, { name: unknown; items: unknown[]; size: number }>();
  for (const item of list) {
    const name = read(item) ?? null;
    const group = groups.get(equalityKeyOf(name)) ?? { name, items: [], size: 0 };
    group.size += 1;
    group.items.push(item);
    groups.set(equalityKeyOf(name), group);
  }
  return [...groups.values()];
}

function sentence(words: string[], connector: string): string {
  if (words.length < 3) return words.join(` ${connector} `);
  return `${words.slice(0, -1).join(', ')}, ${connector} ${words.at(-1) ?? ''}`;
}
