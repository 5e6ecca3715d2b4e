import { compareNumbers, isNumeric } from '../../../platform/json/exact-number.js';
import { isNothing, isRecord, jsonOf, textOf } from '../../values/values.js';
import { normalForm } from '../../values/normal-form.js';
import { flattened } from './flattened.js';
import { propertyOf } from './list-filters.js';
import { expressionOf, type FilterCall, type FilterTable } from '../value-filter.js';

/** Filters that choose elements by a path and an expected value; lists in a list are searched too. */
export const searchFilters: FilterTable = {
  where: (value, call) => {
    const found = flattened(value).filter((item) => matches(item, call));
    // Jekyll searches the values of an object, Shopify the object itself.
    const values = found.length === 0 && isRecord(value) ? flattened(Object.values(value)) : [];
    return values.length === 0 ? found : values.filter((item) => matches(item, call));
  },
  reject: (value, call) => flattened(value).filter((item) => !matches(item, call)),
  find: (value, call) => flattened(value).find((item) => matches(item, call)),
  find_index: (value, call) => {
    const index = flattened(value).findIndex((item) => matches(item, call));
    return index === -1 ? undefined : index;
  },
  has: (value, call) => flattened(value).some((item) => matches(item, call)),
  where_exp: (value, call) => flattened(value).filter(tested(call)),
  reject_exp: (value, call) => {
    const test = tested(call);
    return flattened(value).filter((item) => !test(item));
  },
  find_exp: (value, call) => flattened(value).find(tested(call)),
  find_index_exp: (value, call) => {
    const index = flattened(value).findIndex(tested(call));
    return index === -1 ? undefined : index;
  },
  has_exp: (value, call) => flattened(value).some(tested(call)),
};

/**
 * `where: "a.b", 1`: equal, or a list with an equal element; `where: "a.b"`: neither null nor false. Types matter: `"1"` is
 * not `1`. A text has the path if it contains it, as in Ruby's Liquid.
 */
function matches(item: unknown, call: FilterCall): boolean {
  const [path, expected] = call.args;
  const found = typeof item === 'string' ? partOf(item, textOf(path)) : propertyOf(item, call);
  if (isNothing(expected)) return !isNothing(found) && found !== false;
  return isSame(found, expected) || (Array.isArray(found) && found.some((one) => isSame(one, expected)));
}

function partOf(text: string, part: string): string | undefined {
  return text.includes(part) ? part : undefined;
}

function isSame(found: unknown, expected: unknown): boolean {
  if (isNumeric(expected) && isNumeric(found)) return compareNumbers(found, expected) === 0;
  if (typeof expected !== 'object') return found === expected;
  return jsonOf(normalForm(found)) === jsonOf(normalForm(expected));
}

/** Returns the test of `where_exp: "item", "item.n > 1"`. */
function tested(call: FilterCall): (item: unknown) => boolean {
  const evaluate = expressionOf(call);
  return (item) => {
    const value = evaluate(item);
    return !isNothing(value) && value !== false;
  };
}
