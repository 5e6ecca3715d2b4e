import type { Session } from '../platform/mysql/session.js';

const STATES = ['pending', 'waiting'];

/** Returns for how many seconds the oldest due delivery has waited for the relay; 0 if none is due. */
export async function readRelayLag(session: Session): Promise<number> {
  const lags: number[] = [];
  for (const state of STATES) {
    const [row] = await session.rows<{ lagSeconds: number }>(
      `SELECT TIMESTAMPDIFF(SECOND, due_at, NOW(3)) AS lagSeconds FROM deliveries
       WHERE state = ? ORDER BY due_at, id LIMIT 1`,
      [state],
    );
    lags.push(row?.lagSeconds ?? 0);
  }
  return Math.max(0, ...lags);
}

/** Returns the number of dead letters, counted up to `most`. */
export async function countDeadLetters(session: Session, most: number): Promise<number> {
  const [row] = await session.rows<{ count: number }>(
    "SELECT COUNT(*) AS count FROM (SELECT 1 FROM deliveries WHERE state = 'failed' LIMIT ?) d",
    [most],
  );
  return row?.count ?? 0;
}
