import type { RowInsert } from './row-statements.js';
import { runScript } from './statement-batch.js';
import type { Session } from './session.js';
import type { SqlValue } from './sql.js';

/** The least `max_allowed_packet` that the server may have: both servers' defaults are above it. */
export const LEAST_PACKET_BYTES = 8 * 1024 * 1024;
/** Room for the rest of a row's statement. */
const STATEMENT_OVERHEAD_BYTES = 64 * 1024;

/** Inserts rows as few multi-row statements and gives their ids in order; see `Script.insert`. */
export function insertRows<Row extends SqlValue[]>(
  session: Session,
  insert: RowInsert<Row>,
): Promise<number[]> {
  return runScript(session, {}, (script) => script.insert(insert).ids);
}

/** Whether a row with this many bytes of text can be sent: escaping may double them. */
export function fitsPacket(bytes: number, maxAllowedPacket: number): boolean {
  return bytes * 2 + STATEMENT_OVERHEAD_BYTES <= maxAllowedPacket;
}
