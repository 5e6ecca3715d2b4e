import type { Session } from '../../../platform/mysql/session.js';

/** Values of the first event of a run. */
export interface RunValues {
  runId: number;
  eventId: number;
  digests: Buffer[];
}

/**
 * Stores the values of events that exist. To be called in a transaction: until it ends, these events are not deleted.
 * A row that exists stays.
 */
export async function storeRunValues(session: Session, values: RunValues[]): Promise<void> {
  const found = await holdEvents(
    session,
    values.map(({ eventId }) => eventId),
  );
  const rows = values
    .filter(({ eventId }) => found.has(eventId))
    .toSorted((a, b) => a.eventId - b.eventId)
    .flatMap(({ eventId, runId, digests }) =>
      digests.toSorted((a, b) => a.compare(b)).map((digest) => [eventId, digest, runId]),
    );
  if (rows.length === 0) return;
  await session.run(
    'INSERT INTO run_values (event_id, digest, run_id) VALUES ? ON DUPLICATE KEY UPDATE run_id = VALUES(run_id)',
    [rows],
  );
}

async function holdEvents(session: Session, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  // Not by a join with JSON_TABLE: MySQL refuses to lock that (3569).
  const rows = await session.rows<{ id: number }>(
    'SELECT id FROM events FORCE INDEX (PRIMARY) WHERE id IN (?) ORDER BY id LOCK IN SHARE MODE',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
