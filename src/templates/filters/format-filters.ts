import { parse } from 'csv-parse/sync';
import { messageOf } from '../../errors.js';
import { TemplateError } from '../template.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { MAX_LIST_ELEMENTS } from '../limits.js';
import { parseMail } from '../mail/parse-mail.js';
import { textOf } from '../values.js';

const MAX_CSV_CHARACTERS = 5_000_000;

/** Filters that read whole documents. */
export const formatFilters: FilterTable = {
  csv_parse: parseCsv,
  eml_parse: (value) => parseMail(textOf(value)),
};

/**
 * A list of objects, by the names in the first line; with `headers: false` a list of lists. The argument is
 * the separator, a comma by default.
 */
function parseCsv(value: unknown, { args: [separator = ','], named }: FilterCall): unknown {
  const text = textOf(value);
  if (text.length > MAX_CSV_CHARACTERS)
    throw new TemplateError(`a CSV of ${text.length} characters is too long`);
  const rows = readRows(text, textOf(separator));
  if (named.get('headers') === false) return rows;
  const [names = [], ...records] = rows;
  return records.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

function readRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiter || ',',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_LIST_ELEMENTS,
    });
  } catch (error) {
    throw new TemplateError(`not valid CSV: ${messageOf(error)}`, { cause: error });
  }
}
