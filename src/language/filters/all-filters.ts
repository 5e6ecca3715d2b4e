import type { FilterTable } from './value-filter.js';
import { dateFilters } from './date-filters.js';
import { digestFilters, encodingFilters } from './encoding-filters.js';
import { formatFilters } from './format-filters.js';
import { htmlFilters } from './html-filters.js';
import { jsonFilters } from './json-filters.js';
import { listFilters } from './lists/list-filters.js';
import { numberFilters } from './number-filters.js';
import { patternFilters } from './pattern-filters.js';
import { searchFilters } from './lists/search-filters.js';
import { textFilters } from './text-filters.js';
import { uriFilters } from './uri-filters.js';
import { verifyFilters } from './verify-filters.js';

/** The list of all filters: a template can use no other. */
export const FILTERS: FilterTable = {
  ...textFilters,
  ...numberFilters,
  ...listFilters,
  ...searchFilters,
  ...dateFilters,
  ...digestFilters,
  ...verifyFilters,
  ...encodingFilters,
  ...jsonFilters,
  ...htmlFilters,
  ...patternFilters,
  ...formatFilters,
  ...uriFilters,
};
