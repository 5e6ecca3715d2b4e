import { sorter } from '../../../filters/lists/sorting.js';
import { isNothing, isRecord, listOf } from '../../../values/values.js';
import { holds } from '../../evaluation/evaluator.js';
import { isEqual, orderOf } from '../../evaluation/formula-operators.js';
import type { Numeric } from '../../../../platform/json/exact-number.js';
import { normalForm } from '../../../values/normal-form.js';
import { add } from '../../../values/arithmetic.js';
import { numericFrom } from '../../evaluation/numbers.js';
import { boundedTextOf } from '../values/bounded-text.js';
import { type FunctionCall, type FunctionTable, Lambda } from '../formula-function.js';
import { keyAt, keysOf } from '../values/element-keys.js';
import { entryReaderOf, flatItems, itemsFrom, lambdaFrom, readerOf } from '../values/selectors.js';
import { orderedObject } from '../../../../platform/json/ordered-object.js';

/** Functions applied to each element. A LAMBDA receives the element and its index; for an object the value, or key and value. */
export const selectionFunctions: FunctionTable = {
  MAP: {
    takes: 'list, path or lambda',
    gives: 'the value at the path, or the result of the lambda, for each element',
    example: ['MAP([{a: {b: 1}}, {a: {b: 2}}], "a.b")', [1, 2]],
    run: ([list, selector], call) => mapped(list, selector, call),
  },
  MAP_LAMBDA: {
    takes: 'value, lambda',
    gives:
      'a list of the results of the lambda for each element of a list, or each key and value of an object',
    example: ['MAP_LAMBDA({a: 1, b: 2}, LAMBDA(key, value, key & value))', ['a1', 'b2']],
    run: ([value, lambda], call) =>
      isObject(value)
        ? mappedEntries(value, lambdaFrom(lambda), call)
        : mapped(value, lambdaFrom(lambda), call),
  },
  FLAT_MAP: {
    takes: 'list, path or lambda',
    gives: 'like MAP, with the resulting lists joined into one',
    example: ['FLAT_MAP([{a: [1, 2]}, {a: [3]}], "a")', [1, 2, 3]],
    run: ([list, selector], call) => listOf(flatItems(mapped(list, selector, call), call)),
  },
  FILTER: {
    takes: 'value, lambda or path or list',
    gives:
      'the elements of a list, or entries of an object, for which the lambda is true, the path has a value, or whose value is in the list',
    example: ['FILTER({a: 1, b: 2}, LAMBDA(key, value, key = "b"))', { b: 2 }],
    run: ([value, selector], call) => chosen(value, { selector }, call),
  },
  REJECT: {
    takes: 'value, lambda or path or list, expected?',
    gives: 'what FILTER, or WHERE with an expected value, leaves out',
    example: ['REJECT([3, 1, 2], [1, 2])', [3]],
    run: ([value, selector, expected], call) => chosen(value, { selector, expected, isRejected: true }, call),
  },
  WHERE: {
    takes: 'list, path, expected?, null_on_path_error?',
    gives:
      'the elements that have the expected value at the path; without one, any that is not FALSE, NULL or empty (a text of white space counts as empty). A path that does not exist is NULL',
    example: ['WHERE([{n: "a", x: 1}, {n: "b", x: 2}], "n", "b")', [{ n: 'b', x: 2 }]],
    run: ([list, path, expected], call) => itemsFrom(list).filter(equalTest(path, expected, call)),
  },
  FIND: {
    takes: 'list, lambda or path, expected?',
    gives: 'the first element for which the lambda holds, or that WHERE would give; NULL where there is none',
    example: ['FIND([1, 5, 9], LAMBDA(x, x > 4))', 5],
    run: ([list, selector, expected], call) => itemsFrom(list).find(equalTest(selector, expected, call)),
  },
  FIND_INDEX: {
    takes: 'list, lambda or path, expected?',
    gives: 'where FIND finds its element, from 0; NULL where there is none',
    example: ['FIND_INDEX([1, 5, 9], LAMBDA(x, x > 4))', 1],
    run: ([list, selector, expected], call) => {
      const index = itemsFrom(list).findIndex(equalTest(selector, expected, call));
      return index === -1 ? null : index;
    },
  },
  ANY: {
    takes: 'list, lambda or path?',
    gives: 'TRUE if the lambda is true for any element',
    example: ['ANY([1, 5], LAMBDA(x, x > 4))', true],
    run: ([list, selector], call) => itemsFrom(list).some(testOf(selector, call)),
  },
  ALL: {
    takes: 'list, lambda or path?',
    gives: 'TRUE if the lambda is true for every element',
    example: ['ALL([1, 5], LAMBDA(x, x > 4))', false],
    run: ([list, selector], call) => itemsFrom(list).every(testOf(selector, call)),
  },
  COUNT: {
    takes: 'list, lambda or path?',
    gives: 'the number of elements, or of those for which the lambda is true',
    example: ['COUNT([1, 5, 9], LAMBDA(x, x > 4))', 2],
    run: ([list, selector], call) =>
      selector === undefined ? itemsFrom(list).length : itemsFrom(list).filter(testOf(selector, call)).length,
  },
  REDUCE: {
    takes: 'list, lambda, start',
    gives:
      'the result of applying the lambda to the accumulated result and each element, beginning with the start value',
    example: ['REDUCE([1, 2, 3], LAMBDA(sum, x, sum + x), 0)', 6],
    run: ([list, given, start], { step }) => {
      const lambda = lambdaFrom(given);
      return itemsFrom(list).reduce((result, item) => {
        step();
        return lambda.call([result, item]);
      }, start);
    },
  },
  SUM: {
    takes: 'list, path or lambda?',
    gives: 'the sum of the numbers, or of those at the path',
    example: ['SUM([{n: 0.1}, {n: 0.2}], "n")', 0.3],
    run: ([list, selector], call) =>
      mapped(list, selector, call).reduce<Numeric>((sum, item) => add(sum, numericFrom(item)), 0),
  },
  SORT: {
    takes: 'list, path or lambda?',
    gives: 'the elements in order: numbers by size, texts by code point, NULL last',
    example: ['SORT([3, 1, 2])', [1, 2, 3]],
    run: ([list, selector], call) => sorted(list, selector, call, false),
  },
  SORT_NATURAL: {
    takes: 'list, path or lambda?',
    gives: 'the same, case-insensitive',
    example: ['SORT_NATURAL(["b", "A", "c"])', ['A', 'b', 'c']],
    run: ([list, selector], call) => sorted(list, selector, call, true),
  },
  MIN_BY: {
    takes: 'list, path or lambda',
    gives: 'the first element with the smallest value',
    example: ['MIN_BY([{n: 2}, {n: 1}], "n")', { n: 1 }],
    run: ([list, selector], call) => extreme(list, selector, call, -1),
  },
  MAX_BY: {
    takes: 'list, path or lambda',
    gives: 'the first element with the largest value',
    example: ['MAX_BY([{n: 2}, {n: 3}], "n")', { n: 3 }],
    run: ([list, selector], call) => extreme(list, selector, call, 1),
  },
  GROUP_BY: {
    takes: 'list, path or lambda, as_array?',
    gives:
      'an object with a list of the elements under each value as text; with TRUE at the end a list of `{key, values}`, in the order of their first elements',
    example: [
      'GROUP_BY([{t: "a", n: 1}, {t: "b", n: 2}], "t")',
      { a: [{ t: 'a', n: 1 }], b: [{ t: 'b', n: 2 }] },
    ],
    run: ([list, selector, asArray], call) => {
      const groups = grouped(list, selector, call);
      return holds(asArray) ? groups : groupsByText(groups);
    },
  },
  INDEX_BY: {
    takes: 'list, path or lambda',
    gives: 'an object with each element under its value as text; the last one wins',
    example: ['INDEX_BY([{id: "x", n: 1}], "id")', { x: { id: 'x', n: 1 } }],
    run: ([list, selector], call) => {
      const keys = mapped(list, selector, call);
      const keyText = boundedTextOf();
      return orderedObject(itemsFrom(list).map((item, index) => [keyText(normalForm(keys[index])), item]));
    },
  },
  PARTITION: {
    takes: 'list, lambda or path',
    gives: 'two lists: the elements for which the lambda is true, and the others',
    example: ['PARTITION([1, 5, 9], LAMBDA(x, x > 4))', [[5, 9], [1]]],
    run: ([list, selector], call) => {
      const test = testOf(selector, call);
      const parts: [unknown[], unknown[]] = [[], []];
      for (const [index, item] of itemsFrom(list).entries()) parts[test(item, index) ? 0 : 1].push(item);
      return parts;
    },
  },
};

type Test = (item: unknown, second: unknown) => boolean;

function testOf(selector: unknown, call: FunctionCall): Test {
  const read = readerOf(selector, call);
  return (item, second) => holds(read(item, second));
}

function equalTest(selector: unknown, expected: unknown, call: FunctionCall): Test {
  const [read, passes] = [readerOf(selector, call), resultTest({ selector, expected }, call)];
  return (item, second) => passes(read(item, second));
}

/**
 * Returns a test: equal to the expected value; without one, neither FALSE nor NULL, and for a value at a path not empty
 * either.
 */
function resultTest({ selector, expected }: Choice, { step }: FunctionCall): (result: unknown) => boolean {
  if (!isNothing(expected)) return (result) => isEqual(result, expected, step);
  const isPath = !isNothing(selector) && !(selector instanceof Lambda);
  return isPath ? (result) => holds(result) && !isEmpty(result) : holds;
}

/** Returns true for white space, and for lists and objects without elements. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return !/\S/.test(value);
  if (Array.isArray(value)) return value.length === 0;
  return (
    isRecord(value) &&
    !(value instanceof Lambda) &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0
  );
}

interface Choice {
  selector: unknown;
  expected?: unknown;
  isRejected?: boolean;
}

/** Returns the elements of a list, or entries of an object, that pass the test; or those that do not. */
function chosen(
  value: unknown,
  { selector, expected, isRejected = false }: Choice,
  call: FunctionCall,
): unknown {
  const isList = Array.isArray(selector);
  const passes = isList ? oneOf(selector, call) : resultTest({ selector, expected }, call);
  const reads = isList ? undefined : selector;
  if (!isObject(value)) {
    const read = readerOf(reads, call);
    return itemsFrom(value).filter((item, index) => passes(read(item, index)) !== isRejected);
  }
  const read = entryReaderOf(reads, call);
  const entries = entriesOf(value, call);
  return orderedObject(entries.filter(([key, item]) => passes(read(key, item)) !== isRejected));
}

function oneOf(values: unknown[], call: FunctionCall): (value: unknown) => boolean {
  const keys = keysOf(values, call);
  return (value) => keys.has(keyAt(value, call));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof Lambda);
}

function entriesOf(object: Record<string, unknown>, { step }: FunctionCall): [string, unknown][] {
  const entries = Object.entries(object);
  step(entries.length);
  return entries;
}

function mappedEntries(object: Record<string, unknown>, lambda: Lambda, call: FunctionCall): unknown[] {
  const read = entryReaderOf(lambda, call);
  return entriesOf(object, call).map(([key, value]) => read(key, value) ?? null);
}

function mapped(list: unknown, selector: unknown, call: FunctionCall): unknown[] {
  const read = readerOf(selector, call);
  return itemsFrom(list).map((item, index) => read(item, index) ?? null);
}

function sorted(list: unknown, selector: unknown, call: FunctionCall, ignoreCase: boolean): unknown[] {
  const keys = mapped(list, selector, call);
  const pairs = itemsFrom(list).map((item, index) => ({ item, key: keys[index] }));
  const inOrder = sorter(pairs, (pair) => (pair as (typeof pairs)[number]).key, { ignoreCase });
  return inOrder.map((pair) => (pair as (typeof pairs)[number]).item);
}

function extreme(list: unknown, selector: unknown, call: FunctionCall, sign: 1 | -1): unknown {
  const keys = mapped(list, selector, call);
  const items = itemsFrom(list);
  let best: number | undefined;
  for (const [index, key] of keys.entries()) {
    // Each key may be a long text.
    call.checkTime();
    if (isNothing(key)) continue;
    if (best === undefined || (orderOf(key, keys[best]) ?? 0) * sign > 0) best = index;
  }
  return best === undefined ? null : items[best];
}

interface Group {
  key: unknown;
  values: unknown[];
}

function grouped(list: unknown, selector: unknown, call: FunctionCall): Group[] {
  const keys = mapped(list, selector, call);
  const groups = new Map<string, Group>();
  for (const [index, item] of itemsFrom(list).entries()) {
    const text = keyAt(keys[index], call);
    const group = groups.get(text) ?? { key: keys[index], values: [] };
    group.values.push(item);
    groups.set(text, group);
  }
  return [...groups.values()];
}

/** Merges groups whose keys are the same as text. */
function groupsByText(groups: Group[]): Record<string, unknown[]> {
  const keyText = boundedTextOf();
  const byText = new Map<string, unknown[]>();
  for (const { key, values } of groups) {
    const text = keyText(key);
    byText.set(text, [...(byText.get(text) ?? []), ...values]);
  }
  return orderedObject([...byText]);
}
