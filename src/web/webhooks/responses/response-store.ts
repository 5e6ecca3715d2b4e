import type { Database } from '../../../platform/mysql/database.js';
import type { JsonValue } from '../../../platform/json.js';
import { jsonWithMarkers } from '../../../platform/secrets/secret-reference.js';
import { parseJson } from '../../../platform/json/parse-json.js';

/** The outcome of an awaited run that has responded or ended. */
export type RunOutcome = { kind: 'response'; payload: JsonValue } | { kind: 'ended' };

interface OutcomeRow {
  guid: string;
  responseEventId: number | null;
  payload: string | null;
}

/**
 * A run without pending deliveries has ended (rule 12). One transaction deletes a delivery and inserts the next ones and
 * the response. So no read sees an intermediate state, and the end needs no column of its own.
 */
const SETTLED_RUNS = `
  SELECT r.guid, r.response_event_id AS responseEventId, e.payload
  FROM story_runs r LEFT JOIN events e ON e.id = r.response_event_id
  WHERE r.guid IN (?)
    AND (r.response_event_id IS NOT NULL OR r.cancelled_at IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.story_run_guid = r.guid AND d.state <> 'failed'))`;

/** Returns the outcomes, by guid, of the runs that have responded or ended, with one query. */
export async function findOutcomes(
  database: Pick<Database, 'read'>,
  guids: string[],
): Promise<Map<string, RunOutcome>> {
  const rows = await database.read((session) => session.rows<OutcomeRow>(SETTLED_RUNS, [guids]));
  return new Map(rows.map((row) => [row.guid, outcomeOf(row)]));
}

/** Parses the outcome that a notification carries. Returns undefined if it cannot be parsed and must be queried. */
export function answeredWith(payload: string): RunOutcome | undefined {
  try {
    return { kind: 'response', payload: responseValue(payload) };
  } catch {
    return undefined;
  }
}

/** A response leaves the server, so credentials in it are markers (decision 0026). */
function responseValue(payload: string): JsonValue {
  return parseJson(jsonWithMarkers(payload));
}

/** A response whose event is already deleted (a retention of 0) counts as none. */
function outcomeOf(row: OutcomeRow): RunOutcome {
  if (row.responseEventId === null || row.payload === null) return { kind: 'ended' };
  return { kind: 'response', payload: responseValue(row.payload) };
}
