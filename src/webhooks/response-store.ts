import type { Database } from '../platform/mysql/database.js';
import type { JsonValue } from '../platform/json.js';
import { jsonWithMarkers } from '../platform/text/secret-reference.js';

/** How an awaited run stands, once there is something to tell. */
export type RunOutcome = { kind: 'response'; payload: JsonValue } | { kind: 'ended' };

interface OutcomeRow {
  guid: string;
  responseEventId: number | null;
  payload: string | null;
}

/**
 * A run that has no work left is over (rule 12): tokens go, next deliveries and the response come in one transaction, so
 * there is no moment in between to be misled by, and nobody has to write it down.
 */
const SETTLED_RUNS = `
  SELECT r.guid, r.response_event_id AS responseEventId, e.payload
  FROM story_runs r LEFT JOIN events e ON e.id = r.response_event_id
  WHERE r.guid IN (?)
    AND (r.response_event_id IS NOT NULL OR r.cancelled_at IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.story_run_guid = r.guid AND d.state <> 'failed'))`;

/** The outcomes, by guid, of those of the runs that have been answered or have ended, in one query. */
export async function findOutcomes(
  database: Pick<Database, 'read'>,
  guids: string[],
): Promise<Map<string, RunOutcome>> {
  const rows = await database.read((session) => session.rows<OutcomeRow>(SETTLED_RUNS, [guids]));
  return new Map(rows.map((row) => [row.guid, outcomeOf(row)]));
}

/** The outcome that a hint says itself; undefined when it is none that could be read, and has to be looked up. */
export function answeredWith(payload: string): RunOutcome | undefined {
  try {
    return { kind: 'response', payload: answerValue(payload) };
  } catch {
    return undefined;
  }
}

/** An answer leaves the server: credentials in it are markers (decision 0026). */
function answerValue(payload: string): JsonValue {
  return JSON.parse(jsonWithMarkers(payload)) as JsonValue;
}

/** A response whose event is gone already (a retention of nothing) is as good as none. */
function outcomeOf(row: OutcomeRow): RunOutcome {
  if (row.responseEventId === null || row.payload === null) return { kind: 'ended' };
  return { kind: 'response', payload: answerValue(row.payload) };
}
