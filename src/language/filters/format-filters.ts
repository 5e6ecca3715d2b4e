import { CsvError, parse } from 'csv-parse/sync';
import { messageOf } from '../../platform/errors.js';
import { countText } from '../../platform/text/find-text.js';
import { MAX_LIST_ELEMENTS } from '../limits.js';
import { parseMail } from '../mail/parse-mail.js';
import { shortened } from '../values/shortened.js';
import { TemplateError } from '../template-error.js';
import { textOf } from '../values/values.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

const MAX_CSV_CHARACTERS = 5_000_000;
/** The parser takes about a microsecond per field. */
const MAX_CSV_FIELDS = 1_000_000;
export const MAX_SEPARATOR_CHARACTERS = 10;

/** Filters that parse whole documents. */
export const formatFilters: FilterTable = {
  csv_parse: parseCsv,
  eml_parse: (value, { args, named, checkTime }) =>
    parseMail(textOf(value), checkTime, { singleBody: !isFalse(named.get('single_body') ?? args[0]) }),
};

function isFalse(value: unknown): boolean {
  return value === false || value === 'false' || value === 'FALSE';
}

/**
 * Returns a list of objects, keyed by the names in the first line; with `headers: false` a list of lists. The argument
 * is the separator, a comma by default.
 */
function parseCsv(value: unknown, call: FilterCall): unknown {
  const rows = readRows(textOf(value), textOf(call.args[0] ?? ',') || ',', call);
  if (call.named.get('headers') === false) return rows;
  const [names = [], ...records] = rows;
  // Each row has a value for every name, however short it is.
  refuseFields(names.length * records.length, call);
  return records.map((row) => orderedObject(names.map((name, index) => [name, row[index] ?? ''])));
}

function readRows(text: string, delimiter: string, call: FilterCall): string[][] {
  if (text.length > MAX_CSV_CHARACTERS)
    throw new TemplateError(`a CSV of ${text.length} characters is too long`);
  if (delimiter.length > MAX_SEPARATOR_CHARACTERS)
    throw new TemplateError(`a separator has ${MAX_SEPARATOR_CHARACTERS} characters at most`);
  refuseFields(countText(text, delimiter) + (countText(text, '\n') || countText(text, '\r')), call);
  const rows = parsedRows(text, delimiter, call);
  if (rows.length > MAX_LIST_ELEMENTS)
    throw new TemplateError(`a CSV of more than ${MAX_LIST_ELEMENTS} lines is too long`);
  return rows;
}

function parsedRows(text: string, delimiter: string, call: FilterCall): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      on_record(row: string[]) {
        call.checkTime();
        return row;
      },
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_LIST_ELEMENTS + 1,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new TemplateError(`not valid CSV: ${shortened(messageOf(error), 300)}`, { cause: error });
  }
}

function refuseFields(count: number, { charge }: FilterCall): void {
  if (count > MAX_CSV_FIELDS)
    throw new TemplateError(`a CSV of more than ${MAX_CSV_FIELDS} fields is too large`);
  charge(count);
}
