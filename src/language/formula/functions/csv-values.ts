import { MAX_LIST_ELEMENTS } from '../../limits.js';
import { TemplateError } from '../../template-error.js';
import { isRecord } from '../../values/values.js';
import { boundedTextOf } from './bounded-text.js';
import type { FunctionCall } from './formula-function.js';
import { flatItems, itemsFrom } from './selectors.js';

/** Writes a list of objects as CSV: the first line has every key of any of them, in order of appearance. */
export function csvOfObjects(list: unknown, separator: string, call: FunctionCall): string {
  const objects = flatItems(itemsFrom(list), call);
  const names = new Set<string>();
  for (const object of objects) {
    call.step();
    if (!isRecord(object)) throw new TemplateError('every element has to be an object');
    for (const name of Object.keys(object)) names.add(name);
  }
  if (names.size === 0) return '';
  if (names.size * objects.length > MAX_LIST_ELEMENTS * 20) throw new TemplateError('the table is too large');
  const columns = [...names];
  const rows = objects.map((object) =>
    columns.map((name) => (isRecord(object) && Object.hasOwn(object, name) ? object[name] : null)),
  );
  return csvOfRows([columns, ...rows], separator, call);
}

/**
 * Writes lists of values as CSV (RFC 4180, line feeds between the lines); lists and objects in them as JSON. What it
 * writes with a separator that is found by itself is read as the same texts.
 */
export function csvOfRows(rows: unknown[], separator: string, { step }: FunctionCall): string {
  const cellText = boundedTextOf();
  const fields = (row: unknown) =>
    itemsFrom(row).map((value) => {
      step();
      return quoted(cellText(value), separator);
    });
  const lines = rows.map((row) => {
    const line = fields(row);
    // An empty line would not count as a row.
    return line.length === 1 && line[0] === '' ? '""' : line.join(separator);
  });
  return lines.join('\n');
}

/** A field with another separator is quoted too: else that could be taken for the separator of the whole. */
function quoted(text: string, separator: string): string {
  const needsQuotes = /["\r\n,;|\t]|^\s|\s$|^sep=/i.test(text) || text.includes(separator);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
