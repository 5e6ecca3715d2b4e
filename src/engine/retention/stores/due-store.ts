import type { Session } from '../../../platform/mysql/session.js';
import type { RetentionPage } from './retention-rows-store.js';

/*
 * SQL conditions for due rows, shared by the stores of this folder. `s` is the story, `a` the agent; deleted ones are null.
 * Rows of a deleted story are due at once.
 */

const DAY_SECONDS = 86_400;

/** Retention time in seconds: the agent's own if set, otherwise the story's (spec §3.6). */
export const AGENT_KEEPS = 'COALESCE(NULLIF(a.keep_events_for, 0), s.keep_events_for)';

/** Logs and runs are kept for at least a day, even if events are deleted earlier. */
export const aDayAtLeast = (seconds: string): string => `GREATEST(${seconds}, ${DAY_SECONDS})`;

export const isOver = (createdAt: string, seconds: string): string =>
  `${createdAt} <= NOW(3) - INTERVAL ${seconds} SECOND`;

/**
 * True if the run has work left or may get some: deliveries in any state, dead letters included, need the events of their
 * run (rule 16), and so does an open prompt. A prompt counts for a minute longer, as a click may be running.
 */
export const runIsBusy = (guid: string): string =>
  `(EXISTS (SELECT 1 FROM deliveries d WHERE d.story_run_guid = ${guid})
    OR (s.id IS NOT NULL AND EXISTS (SELECT 1 FROM prompts p WHERE p.story_run_guid = ${guid}
                                     AND p.used_at IS NULL
                                     AND p.expires_at > NOW(3) - INTERVAL 1 MINUTE)))`;

/** True while the delivery that called the run exists: it learns from the run that it has ended, and reads its events. */
export const isAwaited = (guid: string): string =>
  `EXISTS (SELECT 1 FROM story_calls c STRAIGHT_JOIN deliveries k ON k.id = c.caller_delivery_id
           WHERE c.story_run_guid = ${guid})`;

/** An agent or story; `due` is 1 if its oldest row is past its retention time. */
export interface RetentionOwner {
  id: number;
  due: number;
}

/**
 * Returns the next agents by id; `index` of `table` is on agent and id. ORDER BY names the whole index: otherwise MySQL
 * reads and sorts all rows of an agent.
 */
export function findAgentOwners(
  session: Session,
  { table, index, keeps }: { table: string; index: string; keeps: string },
  { afterId, limit }: { afterId: number; limit: number },
): Promise<RetentionOwner[]> {
  const oldest = `(SELECT x.created_at FROM ${table} x FORCE INDEX (${index})
                   WHERE x.agent_id = a.id ORDER BY x.agent_id, x.id LIMIT 1)`;
  return session.rows(
    `SELECT a.id, COALESCE(${isOver(oldest, keeps)}, 0) AS due
     FROM (SELECT id, story_id, keep_events_for FROM agents WHERE id > ? ORDER BY id LIMIT ?) a
     LEFT JOIN stories s ON s.id = a.story_id ORDER BY a.id`,
    [afterId, limit],
  );
}

/** Returns a page of a story's runs `r`, oldest first, in the order of the index that lists of runs use. */
export function findRunPage<Row>(
  session: Session,
  columns: string,
  { ownerId, after, limit }: RetentionPage,
): Promise<Row[]> {
  return session.rows<Row>(
    `SELECT r.id, CAST(r.created_at AS CHAR) AS at, ${columns}
     FROM story_runs r FORCE INDEX (story_runs_list) LEFT JOIN stories s ON s.id = r.story_id
     WHERE r.story_id = ? AND r.created_at >= ? AND (r.created_at > ? OR r.id > ?)
     ORDER BY r.created_at, r.id LIMIT ?`,
    [ownerId, after.at, after.at, after.id, limit],
  );
}

/** Returns the next stories by id; `due` by their oldest run. ORDER BY names the whole index, as above. */
export function findStoryOwners(
  session: Session,
  { keeps }: { keeps: string },
  { afterId, limit }: { afterId: number; limit: number },
): Promise<RetentionOwner[]> {
  const oldest = `(SELECT x.created_at FROM story_runs x FORCE INDEX (story_runs_list)
                   WHERE x.story_id = s.id ORDER BY x.story_id, x.created_at, x.id LIMIT 1)`;
  return session.rows(
    `SELECT s.id, COALESCE(${isOver(oldest, keeps)}, 0) AS due
     FROM (SELECT id, keep_events_for FROM stories WHERE id > ? ORDER BY id LIMIT ?) s ORDER BY s.id`,
    [afterId, limit],
  );
}
