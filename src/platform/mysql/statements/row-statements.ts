import { LARGE_TEXT, withLargeTexts } from './large-text.js';
import type { SqlValue } from './sql.js';

/** Statements stay well below `max_allowed_packet` (rule 5): escaping may double these bytes. */
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024;
const MAX_STATEMENT_ROWS = 1000;

/** Rows to insert into a table. */
export interface RowInsert<Row extends SqlValue[]> {
  table: string;
  columns: string[];
  rows: Row[];
  /** Approximate bytes (not characters) of the row; only the large columns matter. */
  sizeOf(row: Row, index: number): number;
}

/** Part of the rows, inserted by one statement. */
export interface RowStatement<Row extends SqlValue[]> {
  /** Has one placeholder, for the rows. */
  sql: string;
  rows: Row[];
}

/** Returns the bytes of the texts among these values: no other value can be long. */
export function textBytes(...values: (SqlValue | undefined)[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}

/** Yields as few multi-row statements as possible, limited by bytes and by rows (`mostRows`). */
export function* rowStatements<Row extends SqlValue[]>(
  insert: RowInsert<Row>,
  mostRows = MAX_STATEMENT_ROWS,
): Generator<RowStatement<Row>> {
  const sql = `INSERT INTO ${insert.table} (${insert.columns.join(', ')}) VALUES ?`;
  let rows: Row[] = [];
  let bytes = 0;
  for (const [index, row] of insert.rows.entries()) {
    const size = insert.sizeOf(row, index);
    if (rows.length > 0 && (bytes + size > MAX_STATEMENT_BYTES || rows.length >= mostRows)) {
      yield { sql, rows };
      rows = [];
      bytes = 0;
    }
    rows.push(size < LARGE_TEXT ? row : (withLargeTexts(row) as Row));
    bytes += size;
  }
  if (rows.length > 0) yield { sql, rows };
}
