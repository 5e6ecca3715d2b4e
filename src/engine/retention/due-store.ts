import type { Session } from '../../platform/mysql/session.js';
import type { RetentionPage } from './retention-rows-store.js';

/*
 * When things are due: parts of statements that the stores of this folder share. `s` is the story, `a` the agent; one
 * that is gone is null there. What belongs to a story that is gone is due at once.
 */

const DAY_SECONDS = 86_400;

/** The agent's time where it has one of its own, else the story's (spec §3.6), in seconds. */
export const AGENT_KEEPS = 'COALESCE(NULLIF(a.keep_events_for, 0), s.keep_events_for)';

/** Traces of what happened stay for a day at least, however soon events go. */
export const aDayAtLeast = (seconds: string): string => `GREATEST(${seconds}, ${DAY_SECONDS})`;

export const isOver = (createdAt: string, seconds: string): string =>
  `${createdAt} <= NOW(3) - INTERVAL ${seconds} SECOND`;

/**
 * Whether the run has work left, or may get some: deliveries of any state, dead letters too, need the events of their
 * run (rule 16), and so does a prompt that can still be answered. A minute longer: a click may be under way.
 */
export const runIsBusy = (guid: string): string =>
  `(EXISTS (SELECT 1 FROM deliveries d WHERE d.story_run_guid = ${guid})
    OR (s.id IS NOT NULL AND EXISTS (SELECT 1 FROM prompts p WHERE p.story_run_guid = ${guid}
                                     AND p.used_at IS NULL
                                     AND p.expires_at > NOW(3) - INTERVAL 1 MINUTE)))`;

/** Whether the oldest row of an agent, or of a story, is past its time. */
export interface RetentionOwner {
  id: number;
  due: number;
}

/**
 * The next agents by id; `table` has an index of ours on agent and id. The order names the whole index: otherwise MySQL
 * reads and sorts all that an agent has.
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

/** A page of a story's runs `r`, oldest first: the order of the index that lists of runs have. */
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

/** The next stories by id, by the oldest of their runs; its order names the whole index, as above. */
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
