import type { DeliveryState } from '../../engine/state/delivery-store.js';
import { idsOrNone } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { TeamScope } from '../shared-by-scope.js';

/** Why a delivery of a queue waits, or that it failed for good. */
export type WorkKind = Exclude<DeliveryState, 'waiting'> | 'sleeping' | 'retrying';

/** The deliveries of a queue that wait for one reason. */
export interface WorkCount {
  queue: string;
  kind: WorkKind;
  count: number;
  /** When the first of them was made. */
  oldestAt: Date;
  /** The first time at which one of them is due. */
  dueAt: Date;
}

/** Deliveries of one state of the installation that are looked at. */
export const MOST_LOOKED_AT = 10_000;

const STATES: readonly DeliveryState[] = ['pending', 'waiting', 'held', 'parked', 'failed'];
/** The newest dead letters; of any other state those that are due first. */
const firstOf = (state: DeliveryState, limit: string) => {
  const order = state === 'failed' ? 'due_at DESC, id DESC' : 'due_at, id';
  return `(SELECT id FROM deliveries FORCE INDEX (deliveries_due) WHERE state = '${state}' ORDER BY ${order} LIMIT ${limit})`;
};
const LOOKED_AT = STATES.map((state) => firstOf(state, String(MOST_LOOKED_AT))).join(' UNION ALL ');
const BEYOND = STATES.map((state) => firstOf(state, `1 OFFSET ${MOST_LOOKED_AT}`)).join(' UNION ALL ');

/** Returns what waits in each queue for these teams, among the first deliveries of each state. */
export function countWorkByQueue(session: Session, { tenantId, teamIds }: TeamScope): Promise<WorkCount[]> {
  return session.rows<WorkCount>(
    `SELECT d.queue, CASE WHEN d.state <> 'waiting' THEN d.state
                          WHEN d.attempts > 0 AND d.error IS NOT NULL THEN 'retrying' ELSE 'sleeping' END AS kind,
            COUNT(*) AS count, MIN(d.created_at) AS oldestAt, MIN(d.due_at) AS dueAt
     FROM (${LOOKED_AT}) x STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = x.id
       STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = d.story_id
     WHERE s.tenant_id = ? AND s.team_id IN (?) GROUP BY d.queue, kind`,
    [tenantId, idsOrNone(teamIds)],
  );
}

/** Returns whether a state has more deliveries than are looked at. */
export async function hasMoreWork(session: Session): Promise<boolean> {
  return (await session.rows(`SELECT id FROM (${BEYOND}) x LIMIT 1`)).length > 0;
}
