import { parseLineage } from '../../agents/face.js';
import type { Session } from '../../platform/mysql/session.js';
import type { EventRecord } from './event.js';

const COLUMNS =
  'e.id, e.story_id AS storyId, s.user_id AS userId, s.team_id AS teamId, e.story_run_guid AS storyRunGuid, e.agent_id AS agentId,' +
  ' IF(s.draft_of IS NULL, NULL, s.id) AS draftId, a.name AS agentName, e.lineage, e.created_at AS createdAt,' +
  ' e.work_ms AS workMs';

/** Returns the events with these ids that still exist, in the order of the ids. */
export async function findEventRecords(session: Session, ids: number[]): Promise<EventRecord[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<Omit<EventRecord, 'lineage'> & { lineage: string }>(
    `SELECT ${COLUMNS} FROM events e STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = e.story_id
     LEFT JOIN agents a ON a.id = e.agent_id WHERE e.id IN (?)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, { ...row, lineage: parseLineage(row.lineage) }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the tenant's event with this id; undefined for the input of a run. */
export async function findEventRecord(
  session: Session,
  { id, tenantId }: { id: number; tenantId: number },
): Promise<EventRecord | undefined> {
  const [known] = await session.rows<{ id: number }>(
    `SELECT e.id FROM events e JOIN stories s ON s.id = e.story_id
     WHERE e.id = ? AND s.tenant_id = ? AND e.agent_id <> 0`,
    [id, tenantId],
  );
  const [event] = known === undefined ? [] : await findEventRecords(session, [id]);
  return event;
}

/**
 * Returns the payloads of these events, as JSON text, by id. Reads them in turn, and skips each that does not fit into
 * the rest of `budgetBytes`. Payloads that retention has deleted are missing too.
 */
export async function findPayloads(
  session: Session,
  ids: number[],
  budgetBytes: number,
): Promise<Map<number, string>> {
  const wanted = await idsWithin(session, ids, budgetBytes);
  if (wanted.length === 0) return new Map();
  const rows = await session.rows<{ id: number; payload: string }>(
    'SELECT id, payload FROM events FORCE INDEX (PRIMARY) WHERE id IN (?)',
    [wanted],
  );
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}

async function idsWithin(session: Session, ids: number[], budgetBytes: number): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<{ id: number; bytes: number }>(
    'SELECT id, LENGTH(payload) AS bytes FROM events FORCE INDEX (PRIMARY) WHERE id IN (?)',
    [ids],
  );
  const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
  let left = budgetBytes;
  return ids.filter((id) => {
    const bytes = sizes.get(id);
    if (bytes === undefined || bytes > left) return false;
    left -= bytes;
    return true;
  });
}
