import { createHash } from 'node:crypto';
import { characterCount } from '../../platform/text/code-points.js';
import { TemplateError } from '../template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { MAX_LIST_ELEMENTS, MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { isNothing, isRecord, jsonOf, listOf, textOf, valueAt } from '../values/values.js';
import { sorter } from './sorting.js';

const LONGEST_KEY = 200;

/** Filters on lists. Paths may be nested: `map: 'scan.body.domain'`. */
export const listFilters: FilterTable = {
  first: (value) => (Array.isArray(value) ? (value[0] as unknown) : undefined),
  last: (value) => (Array.isArray(value) ? (value.at(-1) as unknown) : undefined),
  size: sizeOf,
  join: (value, call) => textsOf(flattened(value), call).join(textOf(call.args[0] ?? ' ')),
  reverse: onList((list) => list.toReversed()),
  compact: onList((list, call) => list.filter((item) => !isNothing(at(item, call)))),
  uniq: onList(uniq),
  sort: onList((list, call) => sorter(list, (item) => at(item, call), { ignoreCase: false })),
  sort_natural: onList((list, call) => sorter(list, (item) => at(item, call), { ignoreCase: true })),
  map: (value, call) => flattened(value).map((item) => at(item, call) ?? null),
  concat: (value, { args: [other] }) => [...listOf(value), ...listOf(other)],
  push: (value, { args: [item] }) => [...listOf(value), item],
  unshift: (value, { args: [item] }) => [item, ...listOf(value)],
  pop: (value) => listOf(value).slice(0, -1),
  shift: (value) => listOf(value).slice(1),
  where: (value, call) => listOf(value).filter((item) => matches(item, call)),
  reject: (value, call) => listOf(value).filter((item) => !matches(item, call)),
  find: (value, call) => listOf(value).find((item) => matches(item, call)),
  find_index: (value, call) => {
    const index = listOf(value).findIndex((item) => matches(item, call));
    return index === -1 ? undefined : index;
  },
  has: (value, call) => listOf(value).some((item) => matches(item, call)),
  group_by: (value, call) => grouped(listOf(value), call),
  array_to_sentence_string: (value, call) =>
    sentence(textsOf(listOf(value), call), textOf(call.args[0] ?? 'and')),
};

/** A value that is not a list stays unchanged: `{{ "ips" | uniq }}` is `ips`. */
function onList(change: (list: unknown[], call: FilterCall) => unknown[]) {
  return (value: unknown, call: FilterCall): unknown =>
    Array.isArray(value) ? change(listOf(value), call) : value;
}

/** Returns an element's value at the path in the first argument; the element itself without one. */
function at(item: unknown, { args: [path], checkTime }: FilterCall): unknown {
  checkTime();
  return isNothing(path) ? item : valueAt(item, textOf(path));
}

/** Flattens nested lists, as Liquid does. */
function flattened(value: unknown): unknown[] {
  const result: unknown[] = [];
  const pending: unknown[] = listOf(value).toReversed();
  while (pending.length > 0) {
    const item = pending.pop();
    if (!Array.isArray(item)) result.push(item);
    else for (let index = item.length - 1; index >= 0; index -= 1) pending.push(item[index]);
    if (result.length + pending.length > MAX_LIST_ELEMENTS) {
      throw new TemplateError(`a list of more than ${MAX_LIST_ELEMENTS} elements is too long`);
    }
  }
  return result;
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

function uniq(list: unknown[], call: FilterCall): unknown[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = keyOf(at(item, call));
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the same text for values of equal type and content. */
export function keyOf(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}` : jsonOf(value);
  // A list may contain a large value many times: its keys must stay small.
  return text.length > LONGEST_KEY ? createHash('sha256').update(text).digest('base64') : text;
}

/** `where: "a.b", 1`: equal; `where: "a.b"`: neither null nor false. Types matter: `"1"` is not `1`. */
function matches(item: unknown, call: FilterCall): boolean {
  const expected = call.args[1];
  const found = at(item, call);
  if (isNothing(expected)) return !isNothing(found) && found !== false;
  if (typeof expected !== 'object') return found === expected;
  return jsonOf(found) === jsonOf(expected);
}

function grouped(list: unknown[], call: FilterCall): unknown[] {
  const groups = new Map<string, { name: unknown; items: unknown[] }>();
  for (const item of list) {
    const name = at(item, call) ?? null;
    const group = groups.get(keyOf(name)) ?? { name, items: [] };
    group.items.push(item);
    groups.set(keyOf(name), group);
  }
  return [...groups.values()];
}

function sentence(words: string[], connector: string): string {
  if (words.length < 3) return words.join(` ${connector} `);
  return `${words.slice(0, -1).join(', ')}, ${connector} ${words.at(-1) ?? ''}`;
}
