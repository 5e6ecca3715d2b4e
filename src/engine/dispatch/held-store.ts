import type { Session } from '../../platform/mysql/session.js';
import type { JobRef } from '../state/deliveries/delivery-job.js';
import type { HeldJob } from './admission.js';
import type { JobCount } from './figures/shared-counts.js';
import { GRACE_SECONDS } from '../state/deliveries/delivery-store.js';

/*
 * Deliveries held in MySQL because their story has its share of jobs in Redis (rule 19): state `held`, with their turn in
 * `due_at`.
 */

/** Counts the deliveries that have a job, or are about to get one, by queue and story. */
export function countPending(session: Session): Promise<JobCount[]> {
  // MariaDB would sort the groups.
  return session.rows(
    `SELECT queue, story_id AS storyId, COUNT(*) AS jobs FROM deliveries
     WHERE state = 'pending' GROUP BY queue, story_id ORDER BY NULL`,
  );
}

/** Sets pending deliveries without a job to `held`. */
export async function holdDeliveries(session: Session, jobs: HeldJob[]): Promise<void> {
  const ascending = jobs
    .map(({ deliveryId, generation, turnMs }) => ({ id: deliveryId, generation, turnMs }))
    .toSorted((a, b) => a.id - b.id);
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', generation INT PATH '$.generation',
                                          turn_ms BIGINT PATH '$.turnMs')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.state = 'held', d.due_at = NOW(3) + INTERVAL v.turn_ms * 1000 MICROSECOND
     WHERE d.generation = v.generation AND d.state = 'pending'`,
    [JSON.stringify(ascending)],
  );
}

/** Holds if a delivery is held. */
export const ANY_HELD = "EXISTS (SELECT 1 FROM deliveries WHERE state = 'held')";

/** Returns up to `limit` held deliveries with the next turns, locked against other releasers until the transaction ends. */
export async function lockHeld(session: Session, limit: number): Promise<JobRef[]> {
  return session.rows<JobRef>(
    `SELECT id AS deliveryId, queue, story_id AS storyId, generation FROM deliveries
     WHERE state = 'held' ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [limit],
  );
}

/** Sets held deliveries to `pending`, as they get jobs now. */
export function releaseHeld(session: Session, deliveryIds: number[]): Promise<void> {
  return set(
    session,
    deliveryIds,
    `d.state = 'pending', d.due_at = NOW(3) + INTERVAL ${GRACE_SECONDS} SECOND`,
  );
}

/** Postpones held deliveries whose stories have no room, so that others have their turn first. */
export function passOver(session: Session, deliveryIds: number[]): Promise<void> {
  return set(session, deliveryIds, 'd.due_at = GREATEST(d.due_at, NOW(3)) + INTERVAL 1 SECOND');
}

/** `change` is SQL of this file, never input. */
async function set(session: Session, deliveryIds: number[], change: string): Promise<void> {
  if (deliveryIds.length === 0) return;
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET ${change} WHERE d.state = 'held'`,
    [JSON.stringify(deliveryIds.toSorted((a, b) => a - b))],
  );
}
