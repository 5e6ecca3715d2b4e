import { pairedLists } from '../values/paired-lists.js';
import { compacted, unique } from '../../../filters/lists/list-filters.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, listOf } from '../../../values/values.js';
import { wholeFrom } from '../../evaluation/numbers.js';
import { boundedTextOf } from '../values/bounded-text.js';
import { keyAt, keysOf } from '../values/element-keys.js';
import type { FunctionCall, FunctionTable } from '../formula-function.js';
import { flatItems, itemsFrom } from '../values/selectors.js';
import { normalForm } from '../../../values/normal-form.js';
import { viaFilter } from '../via-filter.js';
import { orderedObject } from '../../../../platform/json/ordered-object.js';

/** Functions that build lists from lists. Elements are equal if type and content are. */
export const arrangementFunctions: FunctionTable = {
  COMPACT: {
    takes: 'list, path?',
    gives: 'the list without NULL, or without elements that have no value at the path',
    example: ['COMPACT([1, NULL, 2])', [1, 2]],
    run: viaFilter((value, call) => (Array.isArray(value) ? compacted(itemsFrom(value), call) : value)),
  },
  UNIQ: {
    takes: 'list, path?',
    gives: 'the list without duplicates, compared as a whole or at the path',
    example: ['UNIQ([1, 2, 1])', [1, 2]],
    run: viaFilter((value, call) => (Array.isArray(value) ? unique(itemsFrom(value), call) : value)),
  },
  FLATTEN: {
    takes: 'list, depth?',
    gives: 'the list with nested lists flattened, completely or to a depth',
    example: ['FLATTEN([1, [2, [3]]])', [1, 2, 3]],
    run: ([list, depth], { step }) =>
      flattened(itemsFrom(list), isNothing(depth) ? 100 : wholeFrom(depth), step),
  },
  UNION: {
    takes: 'list, more…',
    gives: 'the distinct elements of all lists',
    example: ['UNION([1, 2], [2, 3])', [1, 2, 3]],
    run: (lists, call) => distinct(listOf(flatItems(lists, call)), call),
  },
  INTERSECTION: {
    takes: 'list, other',
    gives: 'the distinct elements in both lists',
    example: ['INTERSECTION([1, 2, 3], [3, 2])', [2, 3]],
    run: ([list, other], call) => {
      const keys = keysOf(other, call);
      return distinct(itemsFrom(list), call).filter((item) => keys.has(keyAt(item, call)));
    },
  },
  DIFFERENCE: {
    takes: 'list, other',
    gives: 'the elements of the list that are not in the other',
    example: ['DIFFERENCE(["a", "b", "c"], ["b"])', ['a', 'c']],
    run: ([list, other], call) => {
      const keys = keysOf(other, call);
      return itemsFrom(list).filter((item) => !keys.has(keyAt(item, call)));
    },
  },
  ZIP_LISTS: {
    takes: 'list, other, more…',
    gives: 'lists of the elements at the same position',
    example: [
      'ZIP_LISTS(["a", "b"], [1, 2])',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    run: pairedLists,
  },
  CHUNK: {
    takes: 'list, size',
    gives: 'lists of the given size; the last has the remaining elements',
    example: ['CHUNK([1, 2, 3], 2)', [[1, 2], [3]]],
    run: chunks,
  },
  CHUNK_ARRAY: {
    takes: 'list, size',
    gives: 'the same as CHUNK',
    example: ['CHUNK_ARRAY(["a", "b", "c"], 2)', [['a', 'b'], ['c']]],
    run: chunks,
  },
  RANGE: {
    takes: 'first, last, step?',
    gives: 'the numbers from the first to the last, both included',
    example: ['RANGE(1, 4)', [1, 2, 3, 4]],
    run: ([first, last, step]) => range(wholeFrom(first), wholeFrom(last), wholeFrom(step ?? 1)),
  },
  TALLY: {
    takes: 'list',
    gives: 'an object with the number of occurrences of each element, by its text',
    example: ['TALLY(["a", "b", "a"])', { a: 2, b: 1 }],
    run: ([list], { step }) => {
      const counts = new Map<string, number>();
      const keyText = boundedTextOf();
      for (const item of itemsFrom(list)) {
        step();
        const key = keyText(normalForm(item));
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return orderedObject([...counts]);
    },
  },
};

function chunks([list, size]: unknown[], { charge }: FunctionCall): unknown[] {
  const [items, length] = [itemsFrom(list), wholeFrom(size)];
  if (length < 1) throw new TemplateError('the size must be at least 1');
  charge(items.length);
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}

function flattened(list: unknown[], depth: number, step: (count?: number) => void): unknown[] {
  const result: unknown[] = [];
  const pending = list.map((item) => ({ item, depth })).toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    step();
    if (!Array.isArray(next.item) || next.depth < 1) {
      result.push(next.item);
      continue;
    }
    const length = result.length + pending.length + next.item.length;
    if (length > MAX_LIST_ELEMENTS) throw new TemplateError(`a list of ${length} elements is too long`);
    for (const item of next.item.toReversed()) pending.push({ item, depth: next.depth - 1 });
  }
  return result;
}

function distinct(list: unknown[], call: FunctionCall): unknown[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = keyAt(item, call);
    return !seen.has(key) && seen.add(key);
  });
}

function range(first: number, last: number, step: number): number[] {
  if (step === 0) throw new TemplateError('the step is 0');
  const length = Math.max(Math.floor((last - first) / step) + 1, 0);
  if (length > MAX_LIST_ELEMENTS) throw new TemplateError(`a list of ${length} elements is too long`);
  return Array.from({ length }, (_, index) => first + index * step);
}
