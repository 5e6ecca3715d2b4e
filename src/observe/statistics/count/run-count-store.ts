import type { RunSource } from '../../../api/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import { minuteOf, type IdRow } from '../../backfill/settled-rows-store.js';

/** A run about to be counted. */
export interface CountableRun {
  id: number;
  storyId: number;
  cancelled: number;
  /** 1 if deliveries are left that may still be done. */
  open: number;
  failed: number;
  endMinute: string;
  /** Null if it was cancelled, or no row tells when it ended. */
  durationMs: number | null;
}

/** A run whose start is about to be counted. */
export interface CountableStart extends CountableRun, IdRow {
  minute: string;
  source: RunSource;
  /** The agent of its first event; 0: its input, null: deleted. */
  firstAgentId: number | null;
}

const DELIVERY = 'SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run) WHERE d.story_run_guid = r.guid';
/** The same facts as in `run-view-store`. ORDER BY names the whole index, for MySQL. */
const FACTS = `r.story_id, r.source, r.created_at, r.cancelled_at,
  EXISTS (${DELIVERY} AND d.state <> 'failed') AS open, EXISTS (${DELIVERY} AND d.state = 'failed') AS failed,
  (SELECT l.created_at FROM events l WHERE l.id =
    (SELECT MAX(e.id) FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid = r.guid)) AS event_at,
  (SELECT MAX(d.failed_at) FROM deliveries d FORCE INDEX (deliveries_run)
   WHERE d.story_run_guid = r.guid AND d.state = 'failed') AS failed_at`;
const ENDED_AT = `COALESCE(f.cancelled_at, GREATEST(COALESCE(f.event_at, f.created_at), COALESCE(f.failed_at, f.created_at)))`;
const COLUMNS = `f.id, f.story_id AS storyId, f.cancelled_at IS NOT NULL AS cancelled, f.open, f.failed,
  ${minuteOf(ENDED_AT)} AS endMinute,
  IF(f.cancelled_at IS NOT NULL OR COALESCE(f.event_at, f.failed_at) IS NULL, NULL,
     TIMESTAMPDIFF(MICROSECOND, f.created_at, ${ENDED_AT}) DIV 1000) AS durationMs`;
const FIRST_AGENT = `(SELECT x.agent_id FROM events x FORCE INDEX (events_run)
   WHERE x.story_run_guid = r.guid ORDER BY x.story_run_guid, x.id LIMIT 1) AS first_agent_id`;

/** Returns the runs after an id; the youngest are marked. */
export function readStartedRuns(
  session: Session,
  { afterId, limit, holdBackSeconds }: { afterId: number; limit: number; holdBackSeconds: number },
): Promise<CountableStart[]> {
  return session.rows<CountableStart>(
    `SELECT ${COLUMNS}, ${minuteOf('f.created_at')} AS minute, f.source, f.first_agent_id AS firstAgentId,
            f.created_at > NOW(3) - INTERVAL ? SECOND AS young
     FROM (SELECT r.id, ${FACTS}, ${FIRST_AGENT} FROM story_runs r FORCE INDEX (PRIMARY)
           WHERE r.id > ? ORDER BY r.id LIMIT ?) f ORDER BY f.id`,
    [holdBackSeconds, afterId, limit],
  );
}

/** Notes runs whose end is to be counted later. */
export async function noteOpenRuns(session: Session, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await session.run('INSERT INTO uncounted_ends (run_id) VALUES ?', [ids.map((id) => [id])]);
}

/** A run whose end is not counted; without a story if retention has deleted it. */
export type OpenRun = CountableRun | (Omit<CountableRun, 'storyId'> & { storyId: null });

/** Returns the next runs whose end is not counted. */
export function readOpenRuns(
  session: Session,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<OpenRun[]> {
  return session.rows<OpenRun>(
    `SELECT ${COLUMNS}
     FROM (SELECT u.run_id AS id, ${FACTS} FROM uncounted_ends u LEFT JOIN story_runs r ON r.id = u.run_id
           WHERE u.run_id > ? ORDER BY u.run_id LIMIT ?) f ORDER BY f.id`,
    [afterId, limit],
  );
}

/** The ends of these runs are counted. */
export async function forgetOpenRuns(session: Session, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await session.run(
    `DELETE u FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN uncounted_ends u FORCE INDEX (PRIMARY) ON u.run_id = v.id`,
    [JSON.stringify(ids)],
  );
}
