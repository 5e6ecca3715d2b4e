import { parseMail } from '../mail/parse-mail.js';
import { textOf } from '../values/values.js';
import { parseCsv } from './lists/csv-table.js';
import type { FilterTable } from './value-filter.js';

/** Filters that parse whole documents. */
export const formatFilters: FilterTable = {
  csv_parse: parseCsv,
  eml_parse: (value, { args, named, checkTime }) =>
    parseMail(textOf(value), checkTime, { singleBody: !isFalse(named.get('single_body') ?? args[0]) }),
};

function isFalse(value: unknown): boolean {
  return value === false || value === 'false' || value === 'FALSE';
}
