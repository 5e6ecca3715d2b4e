import type { Session } from '../../../platform/mysql/session.js';

/** The file of a table of which the larger part is free. */
export interface DeadSpace {
  name: string;
  freeBytes: number;
  usedBytes: number;
}

/** Returns the tables with at least so many free bytes, and fewer in use; the emptiest first, ten at most. */
export function readDeadSpace(session: Session, leastBytes: number): Promise<DeadSpace[]> {
  return session.rows(
    `SELECT table_name AS name, data_free AS freeBytes, data_length + index_length AS usedBytes
     FROM information_schema.tables
     WHERE table_schema = DATABASE() AND data_free >= ? AND data_free > data_length + index_length
     ORDER BY data_free DESC LIMIT 10`,
    [leastBytes],
  );
}
