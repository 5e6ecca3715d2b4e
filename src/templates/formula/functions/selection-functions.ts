import { sorter } from '../../filters/sorting.js';
import { keyOf, listFilters } from '../../filters/list-filters.js';
import { isNothing, isRecord, listOf } from '../../values.js';
import { holds } from '../evaluator.js';
import { isEqual, orderOf } from '../formula-operators.js';
import { numberFrom, tidy } from '../numbers.js';
import { boundedTextOf } from './bounded-text.js';
import { type FunctionCall, type FunctionTable, Lambda } from './formula-function.js';
import { flatItems, itemsFrom, lambdaFrom, readerOf } from './selectors.js';
import { viaFilter } from './via-filter.js';

/** Work on each element. A LAMBDA gets the element and its index; of an object, the value and its key. */
export const selectionFunctions: FunctionTable = {
  MAP: {
    takes: 'list, path or lambda',
    gives: 'what stands at the path of each element, or what the lambda gives for it',
    example: ['MAP([{a: {b: 1}}, {a: {b: 2}}], "a.b")', [1, 2]],
    run: ([list, selector], call) => mapped(list, selector, call),
  },
  MAP_LAMBDA: {
    takes: 'list, lambda',
    gives: 'what the lambda gives for each element',
    example: ['MAP_LAMBDA([1, 2], LAMBDA(x, x * 10))', [10, 20]],
    run: ([list, lambda], call) => mapped(list, lambdaFrom(lambda), call),
  },
  FLAT_MAP: {
    takes: 'list, path or lambda',
    gives: 'the elements of the lists that MAP would give, in one list',
    example: ['FLAT_MAP([{a: [1, 2]}, {a: [3]}], "a")', [1, 2, 3]],
    run: ([list, selector], call) => listOf(flatItems(mapped(list, selector, call), call)),
  },
  FILTER: {
    takes: 'value, lambda or path',
    gives:
      'the elements of a list, or the entries of an object, for which the lambda holds or the path has a value',
    example: ['FILTER([1, 5, 9], LAMBDA(x, x > 4))', [5, 9]],
    run: ([value, selector], call) => chosen(value, testOf(selector, call), call),
  },
  REJECT: {
    takes: 'value, lambda or path, expected?',
    gives: 'what FILTER, or WHERE with an expected value, leaves out',
    example: ['REJECT({a: 1, b: NULL}, LAMBDA(x, x = NULL))', { a: 1 }],
    run: ([value, selector, expected], call) => {
      const test = expected === undefined ? testOf(selector, call) : equalTest(selector, expected, call);
      return chosen(value, (item, second) => !test(item, second), call);
    },
  },
  WHERE: {
    takes: 'list, path, expected?',
    gives: 'the elements that have the expected value, or any but FALSE and NULL, at the path',
    example: ['WHERE([{n: "a", x: 1}, {n: "b", x: 2}], "n", "b")', [{ n: 'b', x: 2 }]],
    run: ([list, path, expected], call) => chosen(itemsFrom(list), equalTest(path, expected, call), call),
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
    gives: 'TRUE where the lambda holds for one element',
    example: ['ANY([1, 5], LAMBDA(x, x > 4))', true],
    run: ([list, selector], call) => itemsFrom(list).some(testOf(selector, call)),
  },
  ALL: {
    takes: 'list, lambda or path?',
    gives: 'TRUE where the lambda holds for every element',
    example: ['ALL([1, 5], LAMBDA(x, x > 4))', false],
    run: ([list, selector], call) => itemsFrom(list).every(testOf(selector, call)),
  },
  COUNT: {
    takes: 'list, lambda or path?',
    gives: 'the number of elements, or of those for which the lambda holds',
    example: ['COUNT([1, 5, 9], LAMBDA(x, x > 4))', 2],
    run: ([list, selector], call) =>
      selector === undefined ? itemsFrom(list).length : itemsFrom(list).filter(testOf(selector, call)).length,
  },
  REDUCE: {
    takes: 'list, lambda, start',
    gives: 'what the lambda of the result so far and the element has made of all, from the start on',
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
      mapped(list, selector, call).reduce<number>((sum, item) => tidy(sum + numberFrom(item)), 0),
  },
  SORT: {
    takes: 'list, path or lambda?',
    gives: 'the elements in order: numbers by size, texts by code point, NULL last',
    example: ['SORT([3, 1, 2])', [1, 2, 3]],
    run: ([list, selector], call) => sorted(list, selector, call, false),
  },
  SORT_NATURAL: {
    takes: 'list, path or lambda?',
    gives: 'the same without regard to upper and lower case',
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
    takes: 'list, path or lambda',
    gives: 'a list of `{name, items}`, one for each value, in the order of their first elements',
    example: [
      'GROUP_BY([{t: "a", n: 1}, {t: "a", n: 2}], "t")',
      [
        {
          name: 'a',
          items: [
            { t: 'a', n: 1 },
            { t: 'a', n: 2 },
          ],
        },
      ],
    ],
    run: ([list, selector], call) => {
      if (!(selector instanceof Lambda))
        return viaFilter(listFilters.group_by)([itemsFrom(list), selector], call);
      return grouped(list, selector, call);
    },
  },
  INDEX_BY: {
    takes: 'list, path or lambda',
    gives: 'an object with each element under its value as text; the last of equals wins',
    example: ['INDEX_BY([{id: "x", n: 1}], "id")', { x: { id: 'x', n: 1 } }],
    run: ([list, selector], call) => {
      const keys = mapped(list, selector, call);
      const keyText = boundedTextOf();
      return Object.fromEntries(itemsFrom(list).map((item, index) => [keyText(keys[index]), item]));
    },
  },
  PARTITION: {
    takes: 'list, lambda or path',
    gives: 'two lists: the elements for which the lambda holds, and the others',
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
  if (isNothing(expected)) return testOf(selector, call);
  const read = readerOf(selector, call);
  return (item, second) => isEqual(read(item, second), expected, call.step);
}

/** Elements of a list, or entries of an object, that pass. */
function chosen(value: unknown, test: Test, { step }: FunctionCall): unknown {
  if (!isRecord(value) || value instanceof Lambda) return itemsFrom(value).filter(test);
  const entries = Object.entries(value);
  step(entries.length);
  return Object.fromEntries(entries.filter(([key, item]) => test(item, key)));
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
    // Each may be a long text.
    call.checkTime();
    if (isNothing(key)) continue;
    if (best === undefined || (orderOf(key, keys[best]) ?? 0) * sign > 0) best = index;
  }
  return best === undefined ? null : items[best];
}

function grouped(list: unknown, lambda: Lambda, call: FunctionCall): unknown[] {
  const names = mapped(list, lambda, call);
  const groups = new Map<string, { name: unknown; items: unknown[] }>();
  for (const [index, item] of itemsFrom(list).entries()) {
    call.checkTime();
    const key = keyOf(names[index]);
    const group = groups.get(key) ?? { name: names[index], items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()];
}
