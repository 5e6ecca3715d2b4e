import type { Session } from '../../platform/mysql/session.js';

/** The first event of a run. */
export interface FirstOfRun {
  id: number;
  lineage: string;
  /** Size of the payload. */
  bytes: number;
  /** JSON; null: it is larger than was asked for. */
  payload: string | null;
}

/** Returns events with their payloads, as JSON text, without those that are larger than `mostBytes`. */
export function readFirstOfRuns(session: Session, ids: number[], mostBytes: number): Promise<FirstOfRun[]> {
  return session.rows<FirstOfRun>(
    `SELECT id, lineage, OCTET_LENGTH(payload) AS bytes, IF(OCTET_LENGTH(payload) <= ?, payload, NULL) AS payload
     FROM events FORCE INDEX (PRIMARY) WHERE id IN (?)`,
    [mostBytes, ids],
  );
}

/** Returns the oldest event that is left of each of these runs, by guid. For MIN, a server may read all events of the runs. */
export async function findFirstEventIds(session: Session, guids: string[]): Promise<Map<string, number>> {
  if (guids.length === 0) return new Map();
  const ofRun =
    '(SELECT story_run_guid AS guid, id FROM events FORCE INDEX (events_run) WHERE story_run_guid = ? ORDER BY id LIMIT 1)';
  const rows = await session.rows<{ guid: string; id: number }>(
    guids.map(() => ofRun).join(' UNION ALL '),
    guids,
  );
  return new Map(rows.map(({ guid, id }) => [guid, id]));
}

/** How a story names its runs. */
export interface SubjectOfStory {
  id: number;
  language: 'liquid' | 'formula';
  /** Null: it has no template. */
  template: string | null;
}

/** Returns how these stories name their runs, by id. */
export async function findSubjectsOfStories(
  session: Session,
  ids: number[],
): Promise<Map<number, SubjectOfStory>> {
  const rows = await session.rows<SubjectOfStory>(
    `SELECT id, language, JSON_UNQUOTE(JSON_EXTRACT(settings, '$.run_subject')) AS template
     FROM stories FORCE INDEX (PRIMARY) WHERE id IN (?)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
