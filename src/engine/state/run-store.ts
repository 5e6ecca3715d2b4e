import type { Ran, RowId, Script } from '../../platform/mysql/statement-batch.js';
import type { Session } from '../../platform/mysql/session.js';

/** What started a run. */
export type RunSource = 'webhook' | 'api' | 'schedule' | 'send_to_story';

/** A run about to be stored. */
export interface NewRun {
  guid: string;
  storyId: number;
  source: RunSource;
  awaited: boolean;
}

/** Inserts the runs. If one exists already, the script ends with the driver's duplicate-key error (`isDuplicateKey`). */
export function insertRuns(script: Script, runs: NewRun[]): void {
  script.insert({
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
 * order (rule 2). Of several responses of one run the first counts. Affected rows: runs that had no response before.
 */
export function recordResponses(script: Script, responses: { guid: string; eventId: RowId }[]): Ran {
  // Most batches have one response; parsing a JSON list costs the server as much as the rest of the statement.
  const [only] = responses;
  if (responses.length === 1 && only !== undefined) {
    return script.add(
      'UPDATE story_runs SET response_event_id = ? WHERE guid = ? AND response_event_id IS NULL',
      [only.eventId, only.guid],
    );
  }
  const ascending = responses.toSorted((a, b) => (a.guid < b.guid ? -1 : Number(a.guid > b.guid)));
  // Not one JSON text: an event id may be a variable that this script sets.
  const list = ascending.map(() => "JSON_OBJECT('guid', ?, 'eventId', ?)").join(', ');
  return script.add(
    `UPDATE JSON_TABLE(JSON_ARRAY(${list}), '$[*]' COLUMNS (guid CHAR(36) PATH '$.guid', event_id BIGINT PATH '$.eventId')) v
     STRAIGHT_JOIN story_runs r FORCE INDEX (story_runs_guid) ON r.guid = CONVERT(v.guid USING ascii) COLLATE ascii_bin
     SET r.response_event_id = v.event_id
     WHERE r.response_event_id IS NULL`,
    ascending.flatMap(({ guid, eventId }) => [guid, eventId]),
  );
}
