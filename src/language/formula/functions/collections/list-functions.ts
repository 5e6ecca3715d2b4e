import { characterCount, reversedText } from '../../../../platform/text/code-points.js';
import { firstPlace } from '../../../../platform/text/find-text.js';
import { listFilters } from '../../../filters/lists/list-filters.js';
import { textFilters } from '../../../filters/text-filters.js';
import { isNothing, isRecord, listOf, textOf } from '../../../values/values.js';
import { holds } from '../../evaluation/evaluator.js';
import { isEqual } from '../../evaluation/formula-operators.js';
import { wholeFrom } from '../../evaluation/numbers.js';
import { type FunctionCall, type FunctionTable, Lambda } from '../formula-function.js';
import { flatItems, itemsFrom, readerOf } from '../values/selectors.js';
import { viaFilter } from '../via-filter.js';

/** Functions on lists. NULL is an empty list, any other value a list with one element. */
export const listFunctions: FunctionTable = {
  LIST: {
    takes: 'value…',
    gives: 'a list of the values, as `[1, 2]` does',
    example: ['LIST(1, "a")', [1, 'a']],
    run: (values) => values,
  },
  ARRAY: {
    takes: 'value…',
    gives: 'the same as LIST',
    example: ['ARRAY("zero", TRUE, 2)', ['zero', true, 2]],
    run: (values) => values,
  },
  FORCE_ARRAY: {
    takes: 'value',
    gives: 'lists unchanged, NULL as an empty list, any other value as a list of one',
    example: ['FORCE_ARRAY("TEAM")', ['TEAM']],
    run: ([value]) => itemsFrom(value),
  },
  FIRST: {
    takes: 'list, count?',
    gives: 'the first element, or a list of the first ones',
    example: ['FIRST([1, 2, 3])', 1],
    run: ([list, count]) =>
      count === undefined ? itemsFrom(list)[0] : itemsFrom(list).slice(0, Math.max(wholeFrom(count), 0)),
  },
  LAST: {
    takes: 'list, count?',
    gives: 'the last element, or a list of the last ones',
    example: ['LAST([1, 2, 3], 2)', [2, 3]],
    run: ([list, count]) => {
      const items = itemsFrom(list);
      if (count === undefined) return items.at(-1);
      return items.slice(Math.max(items.length - Math.max(wholeFrom(count), 0), 0));
    },
  },
  SIZE: {
    takes: 'value',
    gives: 'the number of elements of a list, keys of an object, or characters of a text; 0 for other values',
    example: ['SIZE([1, 2, 3])', 3],
    run: viaFilter(listFilters.size),
  },
  LIQUID_SIZE: {
    takes: 'value, notation?',
    gives: 'SIZE; with `"dot_notation"` the value at an object\'s own key `size`, as `.size` does',
    example: ['LIQUID_SIZE({size: 7}, "dot_notation")', 7],
    run: ([value, notation], call) => {
      const hasKey = notation === 'dot_notation' && isRecord(value) && Object.hasOwn(value, 'size');
      return hasKey ? value.size : viaFilter(listFilters.size)([value], call);
    },
  },
  JOIN: {
    takes: 'list, separator?',
    gives: 'the elements as one text, with spaces or the separator between them',
    example: ['JOIN(["a", "b"], ", ")', 'a, b'],
    run: viaFilter(listFilters.join),
  },
  ARRAY_TO_SENTENCE: {
    takes: 'list, connector?',
    gives: 'the elements joined as in a sentence',
    example: ['ARRAY_TO_SENTENCE(["a", "b", "c"])', 'a, b, and c'],
    run: viaFilter(listFilters.array_to_sentence_string),
  },
  CONCAT: {
    takes: 'list, more…',
    gives: 'one list with the elements of all lists',
    example: ['CONCAT([1], missing, [2, 3])', [1, 2, 3]],
    run: (lists, call) => listOf(flatItems(lists, call)),
  },
  PUSH: {
    takes: 'list, value, more…',
    gives: 'the list with the values appended',
    example: ['PUSH([1], 2)', [1, 2]],
    run: ([list, ...values]) => [...itemsFrom(list), ...values],
  },
  UNSHIFT: {
    takes: 'list, value, more…',
    gives: 'the list with the values prepended',
    example: ['UNSHIFT([2], 1)', [1, 2]],
    run: ([list, ...values]) => [...values, ...itemsFrom(list)],
  },
  POP: {
    takes: 'list',
    gives: 'the list without its last element',
    example: ['POP([1, 2])', [1]],
    run: viaFilter(listFilters.pop),
  },
  SHIFT: {
    takes: 'list',
    gives: 'the list without its first element',
    example: ['SHIFT([1, 2])', [2]],
    run: viaFilter(listFilters.shift),
  },
  SLICE: {
    takes: 'value, start, length?',
    gives: 'a part of a list or text, one element without a length; a start below 0 counts from the end',
    example: ['SLICE([1, 2, 3, 4], 1, 2)', [2, 3]],
    run: viaFilter(textFilters.slice),
  },
  TAKE: {
    takes: 'list, count',
    gives: 'the first elements',
    example: ['TAKE([1, 2, 3], 2)', [1, 2]],
    run: ([list, count]) => itemsFrom(list).slice(0, Math.max(wholeFrom(count), 0)),
  },
  DROP: {
    takes: 'list, count',
    gives: 'the list without the first elements',
    example: ['DROP([1, 2, 3], 2)', [3]],
    run: ([list, count]) => itemsFrom(list).slice(Math.max(wholeFrom(count), 0)),
  },
  REVERSE: {
    takes: 'value',
    gives: 'the elements of a list, or the characters of a text, in reverse order',
    example: ['REVERSE([1, 2, 3])', [3, 2, 1]],
    run: ([value]) => (typeof value === 'string' ? reversedText(value) : itemsFrom(value).toReversed()),
  },
  INCLUDES: {
    takes: 'value, part',
    gives: 'TRUE if a text contains the part, a list an equal element, or an object the key',
    example: ['INCLUDES("a,b", ",")', true],
    run: ([value, part], { step }) => includes(value, part, step),
  },
  CONTAINS: {
    takes: 'value, part',
    gives: 'the same as INCLUDES',
    example: ['CONTAINS([1, 2], 2)', true],
    run: ([value, part], { step }) => includes(value, part, step),
  },
  INDEX_OF: {
    takes: 'value, part or lambda',
    gives:
      'where a list has an equal element, or one for which the lambda holds, or a text the part, from 0; NULL where it has not',
    example: ['INDEX_OF([1, 2, 3], LAMBDA(x, x > 1))', 1],
    run: ([value, part], call) => {
      const index = typeof value === 'string' ? firstPlace(value, textOf(part)) : placeIn(value, part, call);
      if (index === -1) return null;
      return typeof value === 'string' ? characterCount(value.slice(0, index)) : index;
    },
  },
};

function placeIn(list: unknown, part: unknown, call: FunctionCall): number {
  const items = itemsFrom(list);
  if (!(part instanceof Lambda)) return items.findIndex((item) => isEqual(item, part, call.step));
  const read = readerOf(part, call);
  return items.findIndex((item, index) => holds(read(item, index)));
}

function includes(value: unknown, part: unknown, step: (count?: number) => void): boolean {
  if (isNothing(value) || isNothing(part)) return false;
  if (Array.isArray(value)) return listOf(value).some((item) => isEqual(item, part, step));
  if (isRecord(value)) return !(value instanceof Lambda) && Object.hasOwn(value, textOf(part));
  return firstPlace(textOf(value), textOf(part)) !== -1;
}
