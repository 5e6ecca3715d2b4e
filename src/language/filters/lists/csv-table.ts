import { CsvError, type Options, parse } from 'csv-parse/sync';
import { messageOf } from '../../../platform/errors.js';
import { isSortedKey, orderedObject } from '../../../platform/json/ordered-object.js';
import { findSeparator } from '../../../platform/text/csv-separator.js';
import { countText } from '../../../platform/text/find-text.js';
import { MAX_LIST_ELEMENTS } from '../../limits.js';
import { shortened } from '../../../platform/text/shortened.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { textOf } from '../../values/values.js';
import { readRegularCsv } from './regular-csv.js';
import type { FilterCall } from '../value-filter.js';

const MAX_CSV_CHARACTERS = 5_000_000;
const MAX_CSV_FIELDS = 1_000_000;
export const MAX_SEPARATOR_CHARACTERS = 10;
/** The parser's word for a text behind the quote that closes a field, as in `"a" b`. */
const TEXT_BEHIND_QUOTES = 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE';

/**
 * Returns a list of objects, keyed by the names in the first line; with `headers: false` a list of lists. The argument
 * is the separator; without it, it is found. White space around a field does not count unless it is in quotes.
 */
export function parseCsv(value: unknown, call: FilterCall): unknown {
  const rows = readRows(textOf(value), textOf(call.args[0] ?? ''), call);
  if (call.named.get('headers') === false) return rows;
  const [header = [], ...records] = rows;
  const names = columnNames(header, records);
  // Each row has a value for every name of the first line, however short it is.
  refuseFields(names.length * records.length, call);
  if (names.every(isPlainKey)) return plainObjects(records, names, header.length);
  return records.map((row) => {
    const entries: [string, string][] = [];
    for (const [index, name] of names.entries()) {
      const field = row[index] ?? '';
      if (index < header.length || field !== '') entries.push([name, field]);
    }
    return orderedObject(entries);
  });
}

/** Returns false for a key that JavaScript would sort, or take for something else. */
function isPlainKey(name: string): boolean {
  return name !== '__proto__' && !isSortedKey(name);
}

/** A table may have a million fields: no list is made for each. */
function plainObjects(records: string[][], names: string[], width: number): Record<string, string>[] {
  return records.map((row) => {
    const object: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const field = row[index] ?? '';
      if (index < width || field !== '') object[name] = field;
    }
    return object;
  });
}

/** Names each column: a repeated name gets a number behind it, `a_2`, and a column beyond the first line is `column_4`. */
function columnNames(header: string[], records: string[][]): string[] {
  const width = records.reduce((widest, row) => Math.max(widest, row.length), header.length);
  const taken = new Set(header);
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return Array.from({ length: width }, (_, index) => {
    const name = header[index];
    let own = name ?? '';
    if (name === undefined || used.has(name)) {
      const stem = name ?? 'column';
      let number = Math.max(numbers.get(stem) ?? 0, name === undefined ? index + 1 : 2);
      while (taken.has(`${stem}_${number}`)) number += 1;
      // Counted on, so that many columns of one name cost no more than others.
      numbers.set(stem, number + 1);
      own = `${stem}_${number}`;
    }
    taken.add(own);
    used.add(own);
    return own;
  });
}

function readRows(text: string, given: string, call: FilterCall): string[][] {
  if (text.length > MAX_CSV_CHARACTERS)
    throw new TemplateError(`a CSV of ${text.length} characters is too long`);
  if (given.length > MAX_SEPARATOR_CHARACTERS)
    throw new TemplateError(`a separator can have at most ${MAX_SEPARATOR_CHARACTERS} characters`);
  const { separator, start } = findSeparator(text);
  const delimiter = given || separator;
  refuseFields(countText(text, delimiter) + (countText(text, '\n') || countText(text, '\r')), call);
  const rows = parsedRows(start === 0 ? text : text.slice(start), delimiter, call);
  if (rows.length > MAX_LIST_ELEMENTS)
    throw new TemplateError(`a CSV of more than ${MAX_LIST_ELEMENTS} lines is too long`);
  return rows;
}

function parsedRows(text: string, delimiter: string, call: FilterCall): string[][] {
  const form = { delimiter, most: MAX_LIST_ELEMENTS + 1, checkTime: () => call.checkTime() };
  return readRegularCsv(text, form) ?? tolerantRows(text, delimiter, call);
}

/** Reads a CSV whose quotes are not all round whole fields, which takes ten times as long. */
export function tolerantRows(
  text: string,
  delimiter: string,
  call: Pick<FilterCall, 'checkTime'>,
): string[][] {
  const options: Options = {
    bom: true,
    delimiter,
    on_record(row: string[]) {
      call.checkTime();
      return row;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: MAX_LIST_ELEMENTS + 1,
  };
  try {
    return rowsOf(text, { ...options, trim: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code !== TEXT_BEHIND_QUOTES) throw invalid(error);
  }
  try {
    // Such quotes are part of the text then. Without `trim` the parser can read them.
    return rowsOf(text, { ...options, cast: (field, { quoting }) => (quoting ? field : field.trim()) });
  } catch (error) {
    throw error instanceof CsvError ? invalid(error) : error;
  }
}

function rowsOf(text: string, options: Options): string[][] {
  return parse(text, options);
}

function invalid(error: Error): TemplateError {
  return new TemplateError(`not valid CSV: ${shortened(messageOf(error), 300)}`, { cause: error });
}

function refuseFields(count: number, { charge }: FilterCall): void {
  if (count > MAX_CSV_FIELDS)
    throw new TemplateError(`a CSV of more than ${MAX_CSV_FIELDS} fields is too large`);
  charge(count);
}
