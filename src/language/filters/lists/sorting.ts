import { compareNumbers, isNumeric, type Numeric } from '../../../platform/json/exact-number.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { isNothing, textOf } from '../../values/values.js';

type SortKey = Numeric | string | undefined;

/** Sorts the list by the keys that `read` returns: numbers by size, texts by character code, absent keys last; stable. */
export function sorter(
  list: unknown[],
  read: (item: unknown) => unknown,
  { ignoreCase }: { ignoreCase: boolean },
): unknown[] {
  let characters = 0;
  const keyed = list.map((item) => {
    const key = keyOf(read(item), ignoreCase);
    characters += typeof key === 'string' ? key.length : 0;
    if (characters > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the list is too large to sort');
    return { item, key };
  });
  return keyed.toSorted((left, right) => compare(left.key, right.key)).map(({ item }) => item);
}

function keyOf(value: unknown, ignoreCase: boolean): SortKey {
  if (isNothing(value)) return undefined;
  if (isNumeric(value)) return value;
  return ignoreCase ? textOf(value).toLowerCase() : textOf(value);
}

function compare(left: SortKey, right: SortKey): number {
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined);
  }
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  const [a, b] = [String(left), String(right)];
  return a < b ? -1 : Number(a > b);
}
