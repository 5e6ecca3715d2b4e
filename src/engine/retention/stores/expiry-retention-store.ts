import type { Session } from '../../../platform/mysql/session.js';
import { demandRuns, LETTER_IS_ARCHIVED, LOG_IS_ARCHIVED } from './archived-rows-store.js';
import { aDayAtLeast, AGENT_KEEPS, findAgentOwners, isOver, type RetentionOwner } from './due-store.js';
import {
  type Cleared,
  clearedOf,
  deleteByIds,
  deleteByNames,
  type LookedAt,
  type RetentionPage,
} from './retention-rows-store.js';

/*
 * Rows that are deleted by their age alone.
 */

/** Returns the next agents; `due` if the oldest line of their log is past its retention time. */
export function findLogOwners(
  session: Session,
  page: { afterId: number; limit: number },
): Promise<RetentionOwner[]> {
  const keeps = aDayAtLeast(AGENT_KEEPS);
  return findAgentOwners(session, { table: 'agent_logs', index: 'agent_logs_agent', keeps }, page);
}

/** Deletes the lines in the next page of an agent's log that exceed the age of its events, and a day. */
export async function clearLogs(session: Session, page: RetentionPage): Promise<Cleared> {
  const due = `COALESCE(s.id IS NULL OR ${isOver('l.created_at', aDayAtLeast(AGENT_KEEPS))}, 0)`;
  const archived = page.onlyArchived ? `IF(${due}, ${LOG_IS_ARCHIVED}, 0)` : '1';
  const rows = await session.rows<LogRow>(
    `SELECT l.id, l.story_run_guid AS guid, ${due} AS due, 1 AS free, ${archived} AS archived FROM agent_logs l FORCE INDEX (agent_logs_agent)
     LEFT JOIN agents a ON a.id = l.agent_id LEFT JOIN stories s ON s.id = a.story_id
     WHERE l.agent_id = ? AND l.id > ? ORDER BY l.id LIMIT ?`,
    [page.ownerId, page.after.id, page.limit],
  );
  const missing = rows.filter(({ due: isDue, archived: isThere }) => isDue === 1 && isThere === 0);
  if (!page.countOnly) {
    await demandRuns(
      session,
      missing.map(({ guid }) => guid),
    );
  }
  return clearDue(session, 'agent_logs', { rows, page });
}

interface LogRow extends LookedAt {
  guid: string;
}

/** Deletes the entries in the next page of the audit log that are older than `days`. */
export async function clearAudit(session: Session, page: RetentionPage, days: number): Promise<Cleared> {
  const rows = await session.rows<LookedAt>(
    `SELECT id, created_at <= NOW(3) - INTERVAL ? DAY AS due, 1 AS free FROM audit_logs FORCE INDEX (PRIMARY)
     WHERE id > ? ORDER BY id LIMIT ?`,
    [days, page.after.id, page.limit],
  );
  return clearDue(session, 'audit_logs', { rows, page });
}

async function clearDue(
  session: Session,
  table: string,
  { rows, page }: { rows: LookedAt[]; page: RetentionPage },
): Promise<Cleared> {
  const ids = rows.filter(({ due, archived }) => due === 1 && archived !== 0).map(({ id }) => id);
  return clearedOf(rows, page, page.countOnly ? ids.length : await deleteByIds(session, { table }, ids));
}

/** A dead letter's `due_at` is indexed; it is the time of failure, or seconds later. */
const LETTER_IS_OLD = "d.state = 'failed' AND d.due_at <= NOW(3) - INTERVAL ? DAY";

/** Returns the number of dead letters older than `days`. */
export async function countOldDeadLetters(session: Session, days: number): Promise<number> {
  return countOf(session, `deliveries d WHERE ${LETTER_IS_OLD}`, [days]);
}

/** Which dead letters are deleted. */
export interface OldDeadLetters {
  days: number;
  /** Whether only those are that the archive has; it is asked for the others. */
  onlyArchived: boolean;
}

/** Deletes up to `limit` dead letters older than `days`, except those being retried. Returns the number deleted. */
export async function deleteOldDeadLetters(
  session: Session,
  limit: number,
  { days, onlyArchived }: OldDeadLetters,
): Promise<number> {
  if (onlyArchived) await demandLetters(session, limit, days);
  const rows = await session.rows<{ id: number }>(
    `SELECT d.id FROM deliveries d FORCE INDEX (deliveries_due)
     WHERE ${LETTER_IS_OLD}${onlyArchived ? ` AND ${LETTER_IS_ARCHIVED}` : ''} ORDER BY d.due_at, d.id LIMIT ?`,
    [days, limit],
  );
  if (rows.length === 0) return 0;
  const { affectedRows } = await session.run(
    `DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     WHERE d.state = 'failed' AND d.due_at <= NOW(3) - INTERVAL ? DAY`,
    [JSON.stringify(rows.map(({ id }) => id).toSorted((a, b) => a - b)), days],
  );
  return affectedRows;
}

async function demandLetters(session: Session, limit: number, days: number): Promise<void> {
  const rows = await session.rows<{ guid: string }>(
    `SELECT d.story_run_guid AS guid FROM deliveries d FORCE INDEX (deliveries_due)
     WHERE ${LETTER_IS_OLD} AND NOT ${LETTER_IS_ARCHIVED} ORDER BY d.due_at, d.id LIMIT ?`,
    [days, limit],
  );
  await demandRuns(
    session,
    rows.map(({ guid }) => guid),
  );
}

const PROMPT_IS_OLD = 'expires_at <= NOW(3) - INTERVAL 1 DAY';

/** Returns the number of prompts that expired more than a day ago. */
export async function countOldPrompts(session: Session): Promise<number> {
  return countOf(session, `prompts WHERE ${PROMPT_IS_OLD}`, []);
}

/** Deletes up to `limit` prompts that expired more than a day ago; until then a click shows that they expired. */
export async function deleteOldPrompts(session: Session, limit: number): Promise<number> {
  const rows = await session.rows<{ id: string }>(
    `SELECT id FROM prompts FORCE INDEX (prompts_expiry) WHERE ${PROMPT_IS_OLD} ORDER BY expires_at LIMIT ?`,
    [limit],
  );
  return deleteByNames(
    session,
    { table: 'prompts', column: 'id' },
    rows.map(({ id }) => id),
  );
}

async function countOf(session: Session, where: string, values: number[]): Promise<number> {
  const [row] = await session.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${where}`, values);
  return row?.count ?? 0;
}
