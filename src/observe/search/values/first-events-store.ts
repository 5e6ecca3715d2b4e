import type { Session } from '../../../platform/mysql/session.js';
import type { IdRow } from '../../backfill/settled-rows-store.js';

/** A run and its first event; null if retention has deleted the event, or the story. */
export interface FirstEvent extends IdRow {
  eventId: number | null;
  tenantId: number | null;
  teamId: number | null;
  /** Size of the payload. */
  bytes: number | null;
}

/** Returns the runs after an id, without payloads; the youngest are marked. ORDER BY names the whole index, for MySQL. */
export function readFirstEvents(
  session: Session,
  { afterId, limit, holdBackSeconds }: { afterId: number; limit: number; holdBackSeconds: number },
): Promise<FirstEvent[]> {
  return session.rows<FirstEvent>(
    `SELECT f.id, f.young, f.event_id AS eventId, s.tenant_id AS tenantId, s.team_id AS teamId,
            (SELECT OCTET_LENGTH(e.payload) FROM events e WHERE e.id = f.event_id) AS bytes
     FROM (SELECT r.id, r.story_id, r.created_at > NOW(3) - INTERVAL ? SECOND AS young,
             (SELECT x.id FROM events x FORCE INDEX (events_run) WHERE x.story_run_guid = r.guid
              ORDER BY x.story_run_guid, x.id LIMIT 1) AS event_id
           FROM story_runs r FORCE INDEX (PRIMARY) WHERE r.id > ? ORDER BY r.id LIMIT ?) f
     LEFT JOIN stories s ON s.id = f.story_id ORDER BY f.id`,
    [holdBackSeconds, afterId, limit],
  );
}

/** Returns the payloads of events, as JSON text, by id. */
export async function readPayloads(session: Session, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; payload: string }>(
    'SELECT id, payload FROM events FORCE INDEX (PRIMARY) WHERE id IN (?)',
    [ids],
  );
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}
