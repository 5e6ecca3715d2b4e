import type { Session } from '../../platform/mysql/session.js';

/** What the database holds of runs, to be compared with what one remembers. */
export interface WorkSummary {
  /** As the database writes times, in UTC; null: there are no events. */
  newestEventAt: string | null;
  /** Deliveries that are not over: they go on as soon as workers run. */
  openDeliveries: number;
  deadLetters: number;
}

/** Looks at the newest event and counts the deliveries. */
export async function summarizeWork(session: Session): Promise<WorkSummary> {
  const [row] = await session.rows<WorkSummary>(
    `SELECT (SELECT CAST(created_at AS CHAR) FROM events ORDER BY id DESC LIMIT 1) AS newestEventAt,
            (SELECT COUNT(*) FROM deliveries WHERE state <> 'failed') AS openDeliveries,
            (SELECT COUNT(*) FROM deliveries WHERE state = 'failed') AS deadLetters`,
  );
  if (row === undefined) throw new Error('The database gave no answer to a question about its runs');
  return row;
}
