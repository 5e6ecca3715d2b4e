import type { Session } from '../../../platform/mysql/session.js';
import {
  type Cleared,
  clearedOf,
  deleteByIds,
  deleteByNames,
  type LookedAt,
  type RetentionPage,
} from './retention-rows-store.js';

/*
 * Rows left by deleted agents and deliveries.
 */

/** Tables of agents' memory, each with the column that is unique per agent. */
const KEYS = { agent_memory: 'name', deduplicated_values: 'digest' } as const;

/** Deletes the next page of a deleted agent's memory. */
export async function deleteMemoryPage(
  session: Session,
  table: keyof typeof KEYS,
  page: RetentionPage,
): Promise<Cleared> {
  const column = KEYS[table];
  if (page.countOnly) return countMemory(session, table, page);
  const rows = await session.rows<{ name: string }>(
    `SELECT ${column} AS name FROM ${table} WHERE agent_id = ? ORDER BY ${column} LIMIT ?`,
    [page.ownerId, page.limit],
  );
  const deleted = await deleteByNames(
    session,
    { table, column, scope: { column: 'agent_id', id: page.ownerId } },
    rows.map(({ name }) => name),
  );
  return { ...cleared(page, deleted), more: rows.length === page.limit && deleted > 0 };
}

async function countMemory(
  session: Session,
  table: keyof typeof KEYS,
  page: RetentionPage,
): Promise<Cleared> {
  const [row] = await session.rows<{ count: number }>(
    `SELECT COUNT(*) AS count FROM ${table} WHERE agent_id = ?`,
    [page.ownerId],
  );
  return cleared(page, row?.count ?? 0);
}

function cleared(page: RetentionPage, deleted: number): Cleared {
  return clearedOf([], page, deleted);
}

/** Deletes the schedules in the next page whose agent was deleted. */
export async function clearSchedules(session: Session, page: RetentionPage): Promise<Cleared> {
  const rows = await session.rows<LookedAt>(
    `SELECT x.id, 1 AS due, a.id IS NULL AS free FROM schedules x LEFT JOIN agents a ON a.id = x.agent_id
     WHERE x.id > ? ORDER BY x.id LIMIT ?`,
    [page.after.id, page.limit],
  );
  return clearStrays(session, { table: 'schedules' }, { rows, page });
}

/** Deletes the implode items in the next page without a delivery; both are stored and deleted in one transaction. */
export async function clearItems(session: Session, page: RetentionPage): Promise<Cleared> {
  const rows = await session.rows<LookedAt>(
    `SELECT x.delivery_id AS id, 1 AS due, d.id IS NULL AS free
     FROM implode_items x LEFT JOIN deliveries d ON d.id = x.delivery_id
     WHERE x.delivery_id > ? ORDER BY x.delivery_id LIMIT ?`,
    [page.after.id, page.limit],
  );
  return clearStrays(session, { table: 'implode_items', column: 'delivery_id' }, { rows, page });
}

/** Deletes the marks in the next page whose event was deleted. */
export async function clearMarks(session: Session, page: RetentionPage): Promise<Cleared> {
  const rows = await session.rows<LookedAt>(
    `SELECT x.event_id AS id, 1 AS due, e.id IS NULL AS free
     FROM event_marks x LEFT JOIN events e ON e.id = x.event_id
     WHERE x.event_id > ? ORDER BY x.event_id LIMIT ?`,
    [page.after.id, page.limit],
  );
  return clearStrays(session, { table: 'event_marks', column: 'event_id' }, { rows, page });
}

async function clearStrays(
  session: Session,
  target: { table: string; column?: string },
  { rows, page }: { rows: LookedAt[]; page: RetentionPage },
): Promise<Cleared> {
  const ids = rows.filter(({ free }) => free === 1).map(({ id }) => id);
  return clearedOf(rows, page, page.countOnly ? ids.length : await deleteByIds(session, target, ids));
}
