import type { Session } from '../../../platform/mysql/session.js';

/** Returns the number of dead letters, counted up to `most`. */
export async function countDeadLetters(session: Session, most: number): Promise<number> {
  const [row] = await session.rows<{ count: number }>(
    "SELECT COUNT(*) AS count FROM (SELECT 1 FROM deliveries WHERE state = 'failed' LIMIT ?) d",
    [most],
  );
  return row?.count ?? 0;
}
