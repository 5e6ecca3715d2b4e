import type { Session } from '../../../platform/mysql/session.js';

/** Numbers about the runs in the database, for an operator to compare after a restore. */
export interface WorkSummary {
  /** UTC, as the database writes times; null without events. */
  newestEventAt: string | null;
  /** Deliveries that workers will continue. */
  openDeliveries: number;
  deadLetters: number;
}

/** Returns the time of the newest event and the counts of deliveries. */
export async function summarizeWork(session: Session): Promise<WorkSummary> {
  const [row] = await session.rows<WorkSummary>(
    `SELECT (SELECT CAST(created_at AS CHAR) FROM events ORDER BY id DESC LIMIT 1) AS newestEventAt,
            (SELECT COUNT(*) FROM deliveries WHERE state <> 'failed') AS openDeliveries,
            (SELECT COUNT(*) FROM deliveries WHERE state = 'failed') AS deadLetters`,
  );
  if (row === undefined) throw new Error('The database returned no row for the summary of its runs');
  return row;
}
