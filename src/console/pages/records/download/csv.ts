import { valueText } from '../value-text.js';

/** A spreadsheet takes a cell that begins like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * Returns lines of CSV (RFC 4180), each with its end. A text that a spreadsheet would run as a formula has an apostrophe
 * before it: values come from events, and events from strangers.
 */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  const text = valueText(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
