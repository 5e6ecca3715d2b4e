import type { Session } from '../../../platform/mysql/session.js';
import type { DeliveryState } from './delivery-store.js';

/** Deliveries of one state are counted up to this number, so that a count stays short. */
export const MOST_COUNTED_DELIVERIES = 100_000;

const STATES: readonly DeliveryState[] = ['pending', 'waiting', 'held', 'parked', 'failed'];

/** Returns the number of deliveries in each state, `MOST_COUNTED_DELIVERIES` at most. */
export async function countByState(session: Session): Promise<Map<DeliveryState, number>> {
  const counts = STATES.map(
    (state) =>
      `SELECT '${state}' AS state, COUNT(*) AS counted FROM (
         SELECT id FROM deliveries FORCE INDEX (deliveries_due) WHERE state = '${state}' LIMIT ${MOST_COUNTED_DELIVERIES}) x`,
  );
  const rows = await session.rows<{ state: DeliveryState; counted: number }>(counts.join(' UNION ALL '));
  return new Map(rows.map(({ state, counted }) => [state, counted]));
}

/** Returns for how many seconds the relay's most overdue delivery has been due; 0 if none is. */
export async function overdueSeconds(session: Session): Promise<number> {
  const [row] = await session.rows<{ late: string | number | null }>(
    `SELECT TIMESTAMPDIFF(MICROSECOND, LEAST(
              COALESCE((SELECT MIN(due_at) FROM deliveries FORCE INDEX (deliveries_due) WHERE state = 'pending'), NOW(3)),
              COALESCE((SELECT MIN(due_at) FROM deliveries FORCE INDEX (deliveries_due) WHERE state = 'waiting'), NOW(3)),
              NOW(3)), NOW(3)) AS late`,
  );
  return Number(row?.late ?? 0) / 1e6;
}
