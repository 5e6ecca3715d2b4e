import type { Session } from '../../platform/mysql/session.js';
import { GRACE_SECONDS } from '../state/deliveries/delivery-store.js';
import type { DeliveryQueue } from '../../agents/face.js';

/** A due delivery. */
export interface DueDelivery {
  id: number;
  queue: DeliveryQueue;
  storyId: number;
  state: 'pending' | 'waiting';
  generation: number;
  losses: number;
}

/** Time that a delivery is leased to one relay. */
const LEASE_SECONDS = 20;
/** Longest time between two checks of a delivery that has a job. */
const MAX_GRACE_SECONDS = 3600;

/** The job of a delivery this young may still be on its way to Redis. */
const FRESH_SECONDS = 5;

const COLUMNS = 'id, queue, story_id AS storyId, state, generation, losses';

/** Holds if a delivery is due: `leaseDue` needs a transaction. */
export const ANY_DUE = `EXISTS (SELECT 1 FROM deliveries WHERE state = 'waiting' AND due_at <= NOW(3))
  OR EXISTS (SELECT 1 FROM deliveries WHERE state = 'pending' AND due_at <= NOW(3))`;

/**
 * Leases up to `limit` due deliveries of each state; other relays skip them. Two statements, so that each reads its index
 * in order and stops. To be called in a transaction.
 */
export async function leaseDue(session: Session, limit: number): Promise<DueDelivery[]> {
  const rows: DueDelivery[] = [];
  for (const state of ['waiting', 'pending']) {
    rows.push(
      ...(await session.rows<DueDelivery>(
        `SELECT ${COLUMNS} FROM deliveries WHERE state = ? AND due_at <= NOW(3)
         ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
        [state, limit],
      )),
    );
  }
  await setDue(session, rows, `NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND`);
  return rows;
}

/** Returns pending deliveries with an id above `afterId`, by id, for the walk after Redis was lost. */
export function pendingAfter(session: Session, afterId: number, limit: number): Promise<DueDelivery[]> {
  return session.rows<DueDelivery>(
    `SELECT ${COLUMNS} FROM deliveries
     WHERE id > ? AND state = 'pending' AND created_at < NOW(3) - INTERVAL ${FRESH_SECONDS} SECOND
     ORDER BY id LIMIT ?`,
    [afterId, limit],
  );
}

/** Returns the deliveries of these ids that are pending. */
export function findPending(session: Session, ids: number[]): Promise<DueDelivery[]> {
  return session.rows<DueDelivery>(
    `SELECT ${COLUMNS} FROM deliveries WHERE id IN (?) AND state = 'pending'`,
    [ids],
  );
}

/** How long a job may be on its way to Redis. A process is not missed sooner after its death. */
const ADDING_SECONDS = 2;

/**
 * Returns pending deliveries that have been pending for two seconds or more, and that the relay has not looked for yet; the newest
 * first.
 */
export function placedLately(session: Session, limit: number): Promise<DueDelivery[]> {
  return session.rows<DueDelivery>(
    `SELECT ${COLUMNS} FROM deliveries FORCE INDEX (deliveries_due)
     WHERE state = 'pending'
       AND due_at BETWEEN NOW(3) AND NOW(3) + INTERVAL ${GRACE_SECONDS - ADDING_SECONDS} SECOND
     ORDER BY due_at DESC, id DESC LIMIT ?`,
    [limit],
  );
}

/** Postpones the next check of deliveries that have jobs, by their age (rule 11). */
export async function postpone(session: Session, rows: DueDelivery[]): Promise<void> {
  await setDue(
    session,
    rows,
    `NOW(3) + INTERVAL GREATEST(${GRACE_SECONDS},
       LEAST(${MAX_GRACE_SECONDS}, TIMESTAMPDIFF(SECOND, d.created_at, NOW(3)))) SECOND`,
  );
}

/**
 * Raises the deliveries' generation for new jobs; `lost` are the ids whose job ended without an outcome, which is
 * counted. Returns the ids that still had the given generation.
 */
export async function nextGeneration(
  session: Session,
  rows: DueDelivery[],
  lost: ReadonlySet<number>,
): Promise<Set<number>> {
  const ascending = byId(rows).map(({ id, generation }) => ({ id, generation, loss: lost.has(id) ? 1 : 0 }));
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', generation INT PATH '$.generation',
                                          loss INT PATH '$.loss')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.losses = d.losses + v.loss, d.generation = d.generation + 1,
         d.state = 'pending', d.due_at = NOW(3) + INTERVAL ${GRACE_SECONDS} SECOND
     WHERE d.generation = v.generation AND d.state IN ('pending', 'waiting')`,
    [JSON.stringify(ascending)],
  );
  const current = await session.rows<{ id: number; generation: number }>(
    "SELECT id, generation FROM deliveries WHERE id IN (?) AND state = 'pending'",
    [rows.map((row) => row.id)],
  );
  const known = new Map(rows.map((row) => [row.id, row.generation]));
  return new Set(
    current.filter((row) => row.generation === (known.get(row.id) ?? 0) + 1).map((row) => row.id),
  );
}

/** Makes deliveries dead letters whose jobs ended again and again without an outcome. */
export async function setAside(session: Session, rows: DueDelivery[]): Promise<void> {
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', generation INT PATH '$.generation')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.state = 'failed', d.failed_at = NOW(3), d.generation = d.generation + 1, d.losses = d.losses + 1,
         d.error = 'The action was started again and again and never ended', d.cause = NULL
     WHERE d.generation = v.generation AND d.state = 'pending'`,
    [JSON.stringify(byId(rows))],
  );
}

/** `due` is an SQL expression of this file, never input. */
async function setDue(session: Session, rows: DueDelivery[], due: string): Promise<void> {
  if (rows.length === 0) return;
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', generation INT PATH '$.generation')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.due_at = ${due} WHERE d.generation = v.generation`,
    [JSON.stringify(byId(rows))],
  );
}

function byId(rows: DueDelivery[]): DueDelivery[] {
  return rows.toSorted((a, b) => a.id - b.id);
}
