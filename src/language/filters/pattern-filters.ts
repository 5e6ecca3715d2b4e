import type { FilterTable } from './value-filter.js';
import { isNumeric } from '../../platform/json/exact-number.js';
import { withoutEscapes } from '../pattern-replacement.js';
import { compilePattern, type PatternMatch } from '../patterns.js';
import { isNothing, numberOf, textOf } from '../values/values.js';

/** Filters of Huginn with patterns of Ruby. */
export const patternFilters: FilterTable = {
  regex_replace: (value, { args: [pattern, replacement], checkTime }) =>
    compilePattern(textOf(pattern)).replaceAll(textOf(value), withoutEscapes(textOf(replacement)), checkTime),
  regex_replace_first: (value, { args: [pattern, replacement], checkTime }) =>
    compilePattern(textOf(pattern)).replaceFirst(
      textOf(value),
      withoutEscapes(textOf(replacement)),
      checkTime,
    ),
  regex_extract: (value, { args: [pattern, group], checkTime }) => {
    const [match] = compilePattern(textOf(pattern)).matches(textOf(value), checkTime);
    return match === undefined ? null : groupOf(match, group);
  },
};

/** Returns a group of the first match by number, negative from the last one, or by name; null if there is none. */
function groupOf({ text, groups, named }: PatternMatch, wanted: unknown): string | null {
  if (isNothing(wanted)) return text;
  const name = textOf(wanted);
  if (!isNumeric(wanted)) return Object.hasOwn(named, name) ? (named[name] ?? null) : null;
  return [text, ...groups].at(Math.trunc(numberOf(wanted))) ?? null;
}
