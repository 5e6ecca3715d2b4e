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
  const rows = await session.rows<{ id: number }>(
    `SELECT e.id FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN events e FORCE INDEX (PRIMARY) ON e.id = v.id LOCK IN SHARE MODE`,
    [JSON.stringify(ids.toSorted((a, b) => a - b))],
  );
  return new Set(rows.map(({ id }) => id));
}
