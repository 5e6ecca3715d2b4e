import type { Session } from '../../platform/mysql/session.js';

/** A value at a place of a payload. */
export interface PayloadMatch {
  /** JSON path of the database. */
  path: string;
  /** The value as text; undefined: any value. */
  value: string | undefined;
}

/** Events that one statement reads. */
const MAX_EVENTS = 5_000;

/**
 * Returns those of the runs that have an event with the value, and whether all their events were read. A number or a
 * boolean matches its JSON text. A payload that the database cannot read, as one with the number 1e400, has no match.
 */
export async function runsWithPayload(
  session: Session,
  guids: string[],
  { path, value }: PayloadMatch,
): Promise<{ guids: Set<string>; complete: boolean }> {
  if (guids.length === 0) return { guids: new Set(), complete: true };
  const isMatch = value === undefined ? 'found IS NOT NULL' : 'JSON_UNQUOTE(found) = ?';
  const rows = await session.rows<{ guid: string; isMatch: number | null; events: number }>(
    `SELECT guid, MAX(${isMatch}) AS isMatch, COUNT(*) AS events
     FROM (SELECT e.story_run_guid AS guid,
                  IF(JSON_VALID(e.payload), JSON_EXTRACT(e.payload, ?), NULL) AS found
           FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid IN (?) LIMIT ?) looked
     GROUP BY guid`,
    [...(value === undefined ? [] : [value]), path, guids, MAX_EVENTS],
  );
  const matching = rows.filter((row) => row.isMatch === 1).map(({ guid }) => guid);
  const read = rows.reduce((sum, { events }) => sum + events, 0);
  return { guids: new Set(matching), complete: read < MAX_EVENTS };
}
