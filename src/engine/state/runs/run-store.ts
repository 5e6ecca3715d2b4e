import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { RunSource } from '../../../api/face.js';

/** A run about to be stored. */
export interface NewRun {
  guid: string;
  storyId: number;
  source: RunSource;
  awaited: boolean;
}

/** Counts runs. */
export interface RunMeter {
  /** So many runs of this source are committed. */
  started(source: RunSource, count: number): void;
  /** A run has no work left, since this time in ms by the clock of this process. */
  ended(guid: string, atMs: number): void;
}

/** Inserts the runs. @throws the driver's duplicate-key error (`isDuplicateKey`) if one exists already. */
export async function insertRuns(session: Session, runs: NewRun[]): Promise<void> {
  await insertRows(session, {
    table: 'story_runs',
    columns: ['guid', 'story_id', 'source', 'awaited'],
    rows: runs.map((run) => [run.guid, run.storyId, run.source, run.awaited]),
    sizeOf: () => 100,
  });
}

/** Returns the first event id of each stored run, by guid; 0 if retention has deleted the event. */
export async function findStartedRuns(session: Session, guids: string[]): Promise<Map<string, number>> {
  const rows = await session.rows<{ guid: string; eventId: number | null }>(
    `SELECT r.guid, MIN(e.id) AS eventId FROM story_runs r LEFT JOIN events e ON e.story_run_guid = r.guid
     WHERE r.guid IN (?) GROUP BY r.guid`,
    [guids],
  );
  return new Map(rows.map((row) => [row.guid, row.eventId ?? 0]));
}

/**
 * Stores the first exit's event as the response of each awaited run; later ones change nothing. Locks runs in ascending
 * order (rule 2). Of several responses of one run the first counts. Returns how many runs had no response before.
 */
export async function recordResponses(
  session: Session,
  responses: { guid: string; eventId: number }[],
): Promise<number> {
  const ascending = responses.toSorted((a, b) => (a.guid < b.guid ? -1 : Number(a.guid > b.guid)));
  const { affectedRows } = await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (guid CHAR(36) PATH '$.guid', event_id BIGINT PATH '$.eventId')) v
     STRAIGHT_JOIN story_runs r FORCE INDEX (story_runs_guid) ON r.guid = CONVERT(v.guid USING ascii) COLLATE ascii_bin
     SET r.response_event_id = v.event_id
     WHERE r.response_event_id IS NULL`,
    [JSON.stringify(ascending.map(({ guid, eventId }) => ({ guid, eventId })))],
  );
  return affectedRows;
}
