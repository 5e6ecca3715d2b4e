import type { Session } from '../../../platform/mysql/session.js';

/** States of deliveries that have no job: the job comes when they go on. */
export type AsleepState = 'waiting' | 'held' | 'parked';

/** Deliveries of one state that are looked at, those due first: with more, the counts are too low. */
export const MOST_COUNTED_ASLEEP = 10_000;

/** The number of a queue's deliveries in a state. */
export interface AsleepCount {
  queue: string;
  state: AsleepState;
  count: number;
}

const FIRST = `SELECT id, queue, state FROM deliveries FORCE INDEX (deliveries_due)
  WHERE state = ? ORDER BY due_at, id LIMIT ${MOST_COUNTED_ASLEEP}`;

/** Returns the numbers of deliveries without a job, for all queues. */
export function countAsleep(session: Session): Promise<AsleepCount[]> {
  return session.rows<AsleepCount>(
    `SELECT queue, state, COUNT(*) AS count FROM ((${FIRST}) UNION ALL (${FIRST}) UNION ALL (${FIRST})) d
     GROUP BY queue, state`,
    ['waiting', 'held', 'parked'],
  );
}

/** Returns the ids of a queue's deliveries in a state, those due first. */
export async function listAsleep(
  session: Session,
  { queue, state, offset, limit }: { queue: string; state: AsleepState; offset: number; limit: number },
): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT id FROM (${FIRST}) d WHERE queue = ? LIMIT ? OFFSET ?`,
    [state, queue, limit, offset],
  );
  return rows.map(({ id }) => id);
}
