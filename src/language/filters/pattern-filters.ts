import type { FilterTable } from './value-filter.js';
import { withoutEscapes } from '../pattern-replacement.js';
import { compilePattern } from '../patterns.js';
import { textOf } from '../values/values.js';

export const patternFilters: FilterTable = {
  regex_replace: (value, { args: [pattern, replacement], checkTime }) =>
    compilePattern(textOf(pattern)).replaceAll(textOf(value), withoutEscapes(textOf(replacement)), checkTime),
};
