import type { Session, SqlValue } from './session.js';

/** Statements stay well below `max_allowed_packet` (rule 5): escaping may double these bytes. */
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024;
/** The least `max_allowed_packet` that the server may have: both servers' defaults are above it. */
export const LEAST_PACKET_BYTES = 8 * 1024 * 1024;
/** Room for the rest of a row's statement. */
const STATEMENT_OVERHEAD_BYTES = 64 * 1024;
const MAX_STATEMENT_ROWS = 1000;

export interface RowInsert<Row extends SqlValue[]> {
  table: string;
  columns: string[];
  rows: Row[];
  /** Bytes (not characters) of the row, roughly; only the large columns matter. */
  sizeOf(row: Row): number;
  /** Distance between the ids of one statement's rows (`auto_increment_increment`). */
  idStep: number;
}

/**
 * Inserts rows as few multi-row statements and gives their ids in order: a simple multi-row insert gets
 * consecutive ids on both servers (rule 6; checked against the number of rows that went in).
 */
export async function insertRows<Row extends SqlValue[]>(
  session: Session,
  insert: RowInsert<Row>,
): Promise<number[]> {
  const ids: number[] = [];
  const head = `INSERT INTO ${insert.table} (${insert.columns.join(', ')}) VALUES ?`;
  for (const rows of statements(insert.rows, (row) => insert.sizeOf(row))) {
    const { insertId, affectedRows } = await session.run(head, [rows]);
    if (affectedRows !== rows.length) {
      throw new Error(`${affectedRows} of ${rows.length} rows went into ${insert.table}`);
    }
    rows.forEach((_, index) => ids.push(insertId + index * insert.idStep));
  }
  return ids;
}

/** Whether a row with this many bytes of text can be sent: escaping may double them. */
export function fitsPacket(bytes: number, maxAllowedPacket: number): boolean {
  return bytes * 2 + STATEMENT_OVERHEAD_BYTES <= maxAllowedPacket;
}

/** Cuts rows into statements bounded by bytes and by number. */
function* statements<Row>(rows: Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let statement: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row);
    if (
      statement.length > 0 &&
      (bytes + size > MAX_STATEMENT_BYTES || statement.length >= MAX_STATEMENT_ROWS)
    ) {
      yield statement;
      statement = [];
      bytes = 0;
    }
    statement.push(row);
    bytes += size;
  }
  if (statement.length > 0) yield statement;
}
