import { type RowInsert, rowStatements } from './row-statements.js';
import type { Session } from '../session.js';
import type { SqlValue } from './sql.js';

/** The least accepted `max_allowed_packet` of the server: both servers' defaults are larger. */
export const LEAST_PACKET_BYTES = 8 * 1024 * 1024;
/** Reserved for the rest of a row's statement. */
const STATEMENT_OVERHEAD_BYTES = 64 * 1024;

/** Inserts rows with as few statements as possible; `insertNumbered` returns ids too. @throws the driver's errors. */
export async function insertRows<Row extends SqlValue[]>(
  session: Session,
  insert: RowInsert<Row>,
): Promise<void> {
  for (const { sql, rows } of rowStatements(insert)) {
    const { affectedRows } = await session.insert(sql, rows);
    if (affectedRows !== rows.length) {
      throw new Error(`${affectedRows} of ${rows.length} rows were inserted into ${insert.table}`);
    }
  }
}

/** Returns true if a row with this many bytes of text can be sent: escaping may double them. */
export function fitsPacket(bytes: number, maxAllowedPacket: number): boolean {
  return bytes * 2 + STATEMENT_OVERHEAD_BYTES <= maxAllowedPacket;
}
