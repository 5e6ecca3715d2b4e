import type { Session } from '../db/session.js';
import type { RunSource } from './run-starter.js';

/** A run about to be stored. */
export interface NewRun {
  guid: string;
  storyId: number;
  source: RunSource;
  awaited: boolean;
}

/**
 * Inserts the runs.
 * @throws the driver's duplicate-key error when one is there already (`isDuplicateKey`).
 */
export async function insertRuns(session: Session, runs: NewRun[]): Promise<void> {
  await session.run('INSERT INTO story_runs (guid, story_id, source, awaited) VALUES ?', [
    runs.map((run) => [run.guid, run.storyId, run.source, run.awaited]),
  ]);
}

/** The first event id of each of these runs that is stored, by guid; 0 when retention has taken the event. */
export async function findStartedRuns(session: Session, guids: string[]): Promise<Map<string, number>> {
  const rows = await session.rows<{ guid: string; eventId: number | null }>(
    `SELECT r.guid, MIN(e.id) AS eventId FROM story_runs r LEFT JOIN events e ON e.story_run_guid = r.guid
     WHERE r.guid IN (?) GROUP BY r.guid`,
    [guids],
  );
  return new Map(rows.map((row) => [row.guid, row.eventId ?? 0]));
}

/**
 * Notes the first exit's event as the response of each awaited run; later ones change nothing. Runs ascending, as
 * everybody locks them (rule 2); of one run, the first that is given counts.
 */
export async function recordResponses(
  session: Session,
  responses: { guid: string; eventId: number }[],
): Promise<void> {
  const ascending = responses.toSorted((a, b) => (a.guid < b.guid ? -1 : Number(a.guid > b.guid)));
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (guid CHAR(36) PATH '$.guid', event_id BIGINT PATH '$.eventId')) v
     STRAIGHT_JOIN story_runs r FORCE INDEX (story_runs_guid) ON r.guid = CONVERT(v.guid USING ascii) COLLATE ascii_bin
     SET r.response_event_id = v.event_id
     WHERE r.response_event_id IS NULL`,
    [JSON.stringify(ascending)],
  );
}

/**
 * Marks those of the runs as ended that have no work left (rule 12: asked after COMMIT, claimed by whoever
 * gets there first). Gives the guids of runs that somebody waits for and that have ended or been answered.
 */
export async function settleAwaitedRuns(session: Session, guids: string[]): Promise<string[]> {
  // Asked first, without locks: an UPDATE with this condition would wait for those who work on the deliveries.
  const ended = await session.rows<{ guid: string }>(
    `SELECT r.guid FROM story_runs r
     WHERE r.guid IN (?) AND r.ended_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.story_run_guid = r.guid AND d.state <> 'failed')`,
    [guids],
  );
  if (ended.length > 0)
    await markEnded(
      session,
      ended.map(({ guid }) => guid),
    );
  const rows = await session.rows<{ guid: string }>(
    'SELECT guid FROM story_runs WHERE guid IN (?) AND (ended_at IS NOT NULL OR response_event_id IS NOT NULL)',
    [guids],
  );
  return rows.map((row) => row.guid);
}

/** A run without work never gets any again, so nothing can have changed since it was asked. */
async function markEnded(session: Session, guids: string[]): Promise<void> {
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (guid CHAR(36) PATH '$')) v
     STRAIGHT_JOIN story_runs r FORCE INDEX (story_runs_guid)
       ON r.guid = CONVERT(v.guid USING ascii) COLLATE ascii_bin
     SET r.ended_at = NOW(3) WHERE r.ended_at IS NULL`,
    [JSON.stringify(guids.toSorted())],
  );
}
