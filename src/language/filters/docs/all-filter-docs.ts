import type { JsonObject } from '../../../platform/json.js';
import { dateFilterDocs } from './date-filter-docs.js';
import { digestFilterDocs } from './digest-filter-docs.js';
import { documentFilterDocs } from './document-filter-docs.js';
import { encodingFilterDocs } from './encoding-filter-docs.js';
import type { FilterDocs, FilterDocsTable } from './filter-docs.js';
import { htmlFilterDocs } from './html-filter-docs.js';
import { listFilterDocs } from './list-filter-docs.js';
import { numberFilterDocs } from './number-filter-docs.js';
import { patternFilterDocs } from './pattern-filter-docs.js';
import { searchFilterDocs } from './search-filter-docs.js';
import { textFilterDocs } from './text-filter-docs.js';

/** The families, in the order in which they are shown. */
const FAMILIES: [family: string, filters: FilterDocsTable][] = [
  ['Text', textFilterDocs],
  ['Numbers', numberFilterDocs],
  ['Lists', listFilterDocs],
  ['Choosing elements', searchFilterDocs],
  ['Dates', dateFilterDocs],
  ['Encodings', encodingFilterDocs],
  ['Documents', documentFilterDocs],
  ['HTML', htmlFilterDocs],
  ['Patterns', patternFilterDocs],
  ['Digests', digestFilterDocs],
];

/** A filter with its name and family. */
export interface DocumentedFilter extends FilterDocs {
  name: string;
  family: string;
}

/** The documentation of all filters. A test compares the names with the engine, and renders each example. */
export const FILTER_DOCS: readonly DocumentedFilter[] = FAMILIES.flatMap(([family, filters]) =>
  Object.entries(filters).map(([name, docs]) => ({ ...docs, name, family })),
);

/** The event that the examples refer to. */
export const EXAMPLE_EVENT: JsonObject = {
  lines: 'a\nb',
  items: [
    { name: 'Ada', n: 1 },
    { name: 'Bob', n: 2 },
  ],
  gaps: [1, null, 2],
  claims: { sub: 'ada' },
  table: 'name,n\nAda,1',
  mail: 'Subject: Hello\r\n\r\nText',
};
