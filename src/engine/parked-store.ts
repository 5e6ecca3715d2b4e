import type { Session } from '../db/session.js';
import { findDeliveries, type DeliveryRow } from '../events/delivery-store.js';

/** How long one sweeper has a delivery to itself. */
const LEASE_SECONDS = 20;
/** A parked delivery is looked at again after as long as it has been there, but at most after this. */
const MAX_PAUSE_SECONDS = 60;

/** Takes up to `limit` parked deliveries whose time has come to be looked at; other sweepers pass over them. */
export async function leaseParked(session: Session, limit: number): Promise<DeliveryRow[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT id FROM deliveries WHERE state = 'parked' AND due_at <= NOW(3)
     ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  await setDue(session, ids, `NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND`);
  return findDeliveries(session, ids);
}

/** Nothing has come of them yet: they are looked at again later, the older they are the later. */
export async function postponeParked(session: Session, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const pause = `LEAST(${MAX_PAUSE_SECONDS}, GREATEST(5, TIMESTAMPDIFF(SECOND, d.created_at, NOW(3))))`;
  await setDue(session, ids, `NOW(3) + INTERVAL ${pause} SECOND`);
}

/** Those of these deliveries that called a run which is (still) known. */
export async function findCallers(session: Session, deliveryIds: number[]): Promise<Set<number>> {
  const rows = await session.rows<{ id: number }>(
    'SELECT caller_delivery_id AS id FROM story_calls WHERE caller_delivery_id IN (?)',
    [deliveryIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** `due` is an expression of ours, never input. */
async function setDue(session: Session, ids: number[], due: string): Promise<void> {
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.due_at = ${due} WHERE d.state = 'parked'`,
    [JSON.stringify(ids.toSorted((a, b) => a - b))],
  );
}
