import { LOG_LEVELS } from '../../agents/face.js';
import { causeOf, errorOfLine } from '../../engine/face.js';
import { countUpTo, readIds } from '../../platform/mysql/statements/id-page.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { FailedAttempt, AttemptFilter } from './attempt.js';

/** JSON as it is stored; null: none was kept. */
export interface StoredExchange {
  request: string | null;
  response: string | null;
}

/** Errors of a run that are read for a list. */
const MOST_ERRORS = 1_000;

/** An attempt as its line tells it. */
export interface AttemptRow extends Omit<FailedAttempt, 'number' | 'outcome' | 'error'> {
  attempt: number | null;
  level: number;
  message: string;
}

/** Returns the ids of a page of a run's attempts, oldest first. */
export async function listAttemptIds(
  session: Session,
  { guid, agentId, eventId, deliveryId }: AttemptFilter,
  window: Window,
): Promise<Page<number>> {
  // The level is in the index of runs: lines that are no errors are passed over without being read.
  const terms: [string, SqlValue][] = [
    ['l.story_run_guid = ?', guid],
    ['l.delivery_id IS NOT NULL AND l.level >= ?', LOG_LEVELS.warn],
  ];
  if (agentId !== undefined) terms.push(['l.agent_id = ?', agentId]);
  if (eventId !== undefined) terms.push(['l.inbound_event_id = ?', eventId]);
  if (deliveryId !== undefined) terms.push(['l.delivery_id = ?', deliveryId]);
  const index = deliveryId === undefined ? 'agent_logs_run' : 'agent_logs_delivery';
  const query = {
    id: 'l.id',
    from: `agent_logs l FORCE INDEX (${index})`,
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.map(([, value]) => value),
    order: 'l.id',
  };
  return readIds(session, query, { window, total: await countUpTo(session, query) });
}

/** Returns the ids of the newest attempts of a delivery, oldest first. */
export async function newestAttemptIds(
  session: Session,
  { deliveryId, limit }: { deliveryId: number; limit: number },
): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    'SELECT id FROM agent_logs FORCE INDEX (agent_logs_delivery) WHERE delivery_id = ? ORDER BY id DESC LIMIT ?',
    [deliveryId, limit],
  );
  return rows.map(({ id }) => id).toReversed();
}

/** Returns the attempts with these ids that still exist, in the order of the ids. */
export async function findAttempts(session: Session, ids: number[]): Promise<FailedAttempt[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<AttemptRow>(
    `SELECT l.id, l.delivery_id AS deliveryId, l.agent_id AS agentId, a.name AS agentName, e.id AS eventId,
            l.attempt, l.level, l.message, l.created_at AS failedAt, l.work_ms AS workMs, l.status, l.cause
     FROM agent_logs l LEFT JOIN agents a ON a.id = l.agent_id
     LEFT JOIN events e ON e.id = l.inbound_event_id AND e.agent_id <> 0 WHERE l.id IN (?)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, attemptFrom(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns what these attempts sent and received, by id. */
export async function findExchanges(session: Session, ids: number[]): Promise<Map<number, StoredExchange>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<StoredExchange & { id: number }>(
    'SELECT id, request, response FROM agent_logs WHERE id IN (?)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns the numbers of steps of these runs that logged errors and did not fail, by guid. Lists are asked for all the time: of
 * each run only so many errors are read.
 */
export async function countWarnings(session: Session, guids: string[]): Promise<Map<string, number>> {
  if (guids.length === 0) return new Map();
  const ofRun =
    '(SELECT l.story_run_guid, l.delivery_id, l.attempt FROM agent_logs l FORCE INDEX (agent_logs_run)' +
    ` WHERE l.story_run_guid = ? AND l.level >= ${LOG_LEVELS.error} LIMIT ${MOST_ERRORS})`;
  const rows = await session.rows<{ guid: string; count: number }>(
    `SELECT e.story_run_guid AS guid, COUNT(DISTINCT e.delivery_id) AS count
     FROM (${guids.map(() => ofRun).join(' UNION ALL ')}) e WHERE e.attempt IS NULL GROUP BY e.story_run_guid`,
    guids,
  );
  return new Map(rows.flatMap(({ guid, count }) => (count > 0 ? [[guid, count]] : [])));
}

/** The condition for an error that an action did not fail of, on line `l`. */
export const IS_WARNING = `l.level >= ${LOG_LEVELS.error} AND l.attempt IS NULL AND l.delivery_id IS NOT NULL`;

/** Returns an attempt by its line. */
export function attemptFrom({ attempt, level, message, ...row }: AttemptRow): FailedAttempt {
  const error = errorOfLine(message);
  const failed = level >= LOG_LEVELS.error ? 'failed' : 'retried';
  return {
    ...row,
    number: attempt,
    outcome: attempt === null ? 'continued' : failed,
    error,
    cause: causeOf({ cause: row.cause, error }),
  };
}
