import type { Session } from '../../../platform/mysql/session.js';
import { runIsBusy } from './due-store.js';
import { deleteByIds, deleteEvents } from './retention-rows-store.js';
import { lockIdleRuns } from './run-lock-store.js';

/** The kinds of rows of an action that can be removed. */
export type RemovalKind = 'events' | 'logs';

/** A removal by request: the rows of an action up to an id. */
export interface Removal {
  agentId: number;
  kind: RemovalKind;
  upToId: number;
}

/** The result of one batch. */
export interface Removed {
  deleted: number;
  /** The last row that was looked at; undefined if none was left. */
  lastId: number | undefined;
}

const ROWS = {
  events: { table: 'events', index: 'events_agent' },
  logs: { table: 'agent_logs', index: 'agent_logs_agent' },
} as const;

/** Stores that the present rows of the action are to go. Returns the removal; undefined if there are no rows. */
export async function requestRemoval(
  session: Session,
  { agentId, kind }: Pick<Removal, 'agentId' | 'kind'>,
): Promise<Removal | undefined> {
  const { table, index } = ROWS[kind];
  const [last] = await session.rows<{ id: number }>(
    `SELECT id FROM ${table} FORCE INDEX (${index}) WHERE agent_id = ? ORDER BY agent_id DESC, id DESC LIMIT 1`,
    [agentId],
  );
  if (last === undefined) return undefined;
  await session.run(
    `INSERT INTO agent_removals (agent_id, kind, up_to_id) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE up_to_id = GREATEST(up_to_id, VALUES(up_to_id))`,
    [agentId, kind, last.id],
  );
  return { agentId, kind, upToId: last.id };
}

/** Returns removals that are not finished, oldest first, up to `limit`. */
export function findRemovals(session: Session, limit: number): Promise<Removal[]> {
  return session.rows<Removal>(
    `SELECT agent_id AS agentId, kind, up_to_id AS upToId FROM agent_removals
     ORDER BY requested_at, agent_id, kind LIMIT ?`,
    [limit],
  );
}

/** Ends a removal, unless it was extended meanwhile. */
export async function endRemoval(session: Session, { agentId, kind, upToId }: Removal): Promise<void> {
  await session.run('DELETE FROM agent_removals WHERE agent_id = ? AND kind = ? AND up_to_id <= ?', [
    agentId,
    kind,
    upToId,
  ]);
}

/** A page of a removal. */
export interface RemovalPage {
  afterId: number;
  limit: number;
}

/** Deletes the rows in the next page, except events that a run still needs. To be called in a transaction. */
export function removeRows(session: Session, removal: Removal, page: RemovalPage): Promise<Removed> {
  return removal.kind === 'logs' ? removeLogs(session, removal, page) : removeEvents(session, removal, page);
}

async function removeLogs(session: Session, removal: Removal, page: RemovalPage): Promise<Removed> {
  const rows = await session.rows<{ id: number }>(
    `SELECT id FROM agent_logs FORCE INDEX (agent_logs_agent)
     WHERE agent_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?`,
    [removal.agentId, page.afterId, removal.upToId, page.limit],
  );
  const ids = rows.map(({ id }) => id);
  return { deleted: await deleteByIds(session, { table: 'agent_logs' }, ids), lastId: ids.at(-1) };
}

/** A webhook request may still wait for a run that has ended: its response is one of the run's events. */
const IS_ANSWERED = `EXISTS (SELECT 1 FROM story_runs r WHERE r.guid = e.story_run_guid AND r.awaited
                             AND r.created_at > NOW(3) - INTERVAL 2 MINUTE)`;
const FREE = `NOT (${runIsBusy('e.story_run_guid')} OR ${IS_ANSWERED})`;

interface EventRow {
  id: number;
  guid: string;
  free: number;
}

/** Locks the runs, then checks again: a run may have got new work before the lock. */
async function removeEvents(session: Session, removal: Removal, page: RemovalPage): Promise<Removed> {
  const rows = await session.rows<EventRow>(
    `SELECT e.id, e.story_run_guid AS guid, ${FREE} AS free
     FROM events e FORCE INDEX (events_agent) LEFT JOIN stories s ON s.id = e.story_id
     WHERE e.agent_id = ? AND e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?`,
    [removal.agentId, page.afterId, removal.upToId, page.limit],
  );
  const lastId = rows.at(-1)?.id;
  const free = rows.filter((row) => row.free === 1);
  if (free.length === 0) return { deleted: 0, lastId };
  const idle = await lockIdleRuns(session, [...new Set(free.map(({ guid }) => guid))]);
  const again = await session.rows<EventRow>(
    `SELECT e.id, e.story_run_guid AS guid, ${FREE} AS free
     FROM events e LEFT JOIN stories s ON s.id = e.story_id WHERE e.id IN (?)`,
    [free.map(({ id }) => id)],
  );
  const ids = again.filter((row) => row.free === 1 && idle.has(row.guid)).map(({ id }) => id);
  return { deleted: await deleteEvents(session, ids), lastId };
}
