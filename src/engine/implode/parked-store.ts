import type { Session } from '../../platform/mysql/session.js';
import { findDeliveries, type DeliveryRow } from '../state/deliveries/delivery-store.js';

/** Time that a delivery is leased to one sweeper. */
const LEASE_SECONDS = 20;
/** A parked delivery is checked again after its own age, and after this at the latest. */
const MAX_PAUSE_SECONDS = 60;

/** Holds if a parked delivery is due for a check. */
export const ANY_PARKED_DUE = "EXISTS (SELECT 1 FROM deliveries WHERE state = 'parked' AND due_at <= NOW(3))";

/** Leases up to `limit` parked deliveries that are due for a check; other sweepers skip them. */
export async function leaseParked(session: Session, limit: number): Promise<DeliveryRow[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT id FROM deliveries WHERE state = 'parked' AND due_at <= NOW(3)
     ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const leases = ids.map((id) => ({ id, most: LEASE_SECONDS }));
  await setDue(session, leases, 'v.most');
  return findDeliveries(session, ids);
}

/** Postpones the next check of these deliveries: by their age, at least 5 s, at most `mostSeconds` and a minute. */
export async function postponeParked(
  session: Session,
  deliveries: { id: number; mostSeconds: number | undefined }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ id, mostSeconds = MAX_PAUSE_SECONDS }) => ({
    id,
    most: Math.min(mostSeconds, MAX_PAUSE_SECONDS),
  }));
  await setDue(session, rows, 'LEAST(v.most, GREATEST(5, TIMESTAMPDIFF(SECOND, d.created_at, NOW(3))))');
}

/** Returns the deliveries among these whose called run is (still) known. */
export async function findCallers(session: Session, deliveryIds: number[]): Promise<Set<number>> {
  const rows = await session.rows<{ id: number }>(
    'SELECT caller_delivery_id AS id FROM story_calls WHERE caller_delivery_id IN (?)',
    [deliveryIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** `seconds` is an SQL expression of this file, never input. */
async function setDue(
  session: Session,
  rows: { id: number; most: number }[],
  seconds: string,
): Promise<void> {
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', most INT PATH '$.most')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.due_at = NOW(3) + INTERVAL ${seconds} SECOND WHERE d.state = 'parked'`,
    [JSON.stringify(rows.toSorted((a, b) => a.id - b.id))],
  );
}
