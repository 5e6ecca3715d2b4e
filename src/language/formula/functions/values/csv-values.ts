import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, isRecord } from '../../../values/values.js';
import { boundedTextOf } from './bounded-text.js';
import type { FunctionCall } from '../formula-function.js';
import { flatItems, itemsFrom } from './selectors.js';

/**
 * Writes a list of objects as CSV: the first line has the headers, or else every key of any of them, in order of
 * appearance.
 */
export function csvOfObjects(list: unknown, headers: unknown, separator: string, call: FunctionCall): string {
  const objects = flatItems(itemsFrom(list), call);
  const keys = new Set<string>();
  for (const object of objects) {
    call.step();
    if (!isRecord(object)) throw new TemplateError('every element must be an object');
    for (const name of Object.keys(object)) keys.add(name);
  }
  const columns = isNothing(headers) ? [...keys] : itemsFrom(headers).map(boundedTextOf());
  if (columns.length === 0) return '';
  if (columns.length * objects.length > MAX_LIST_ELEMENTS * 20)
    throw new TemplateError('the table is too large');
  const rows = objects.map((object) =>
    columns.map((name) => (isRecord(object) && Object.hasOwn(object, name) ? object[name] : null)),
  );
  return csvOfRows([columns, ...rows], separator, call);
}

/**
 * Writes lists of values as CSV (RFC 4180, line feeds between the lines); lists and objects in them as JSON. What it
 * writes with a separator that is found by itself is read as the same texts.
 */
export function csvOfRows(rows: unknown[], separator: string, call: FunctionCall): string {
  return linesOf(rows, { separator, quote: (text) => quoted(text, separator) }, call).join('\n');
}

/** Writes lists of values as CSV with `, ` between the fields, as Ruby does: white space inside a field needs quotes. */
export function spacedCsvOf(rows: unknown[], call: FunctionCall): string {
  return linesOf(rows, { separator: ', ', quote: quotedIfSpaced }, call)
    .map((line) => `${line}\n`)
    .join('');
}

function quotedIfSpaced(text: string): string {
  return /[\s",]/.test(text) ? inQuotes(text) : text;
}

interface Format {
  separator: string;
  quote: (text: string) => string;
}

function linesOf(rows: unknown[], { separator, quote }: Format, { step }: FunctionCall): string[] {
  const cellText = boundedTextOf();
  return rows.map((row) => {
    const line = itemsFrom(row).map((value) => {
      step();
      return quote(cellText(value));
    });
    // An empty line would not count as a row.
    return line.length === 1 && line[0] === '' ? '""' : line.join(separator);
  });
}

/** A field with another separator is quoted too: else that could be taken for the separator of the whole. */
function quoted(text: string, separator: string): string {
  const needsQuotes = /["\r\n,;|\t]|^\s|\s$|^sep=/i.test(text) || text.includes(separator);
  return needsQuotes ? inQuotes(text) : text;
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
