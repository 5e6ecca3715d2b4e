import { countUpTo, MAX_COUNT } from '../../../platform/mysql/statements/id-page.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { DeadLetterSearch } from '../dead-letter.js';
import {
  KIND_TEXT,
  deadLettersIn,
  newestIds,
  readBy,
  type Term,
  type Within,
} from '../dead-letter-search-store.js';
import { type ErrorCount, HOURS, type HourCount } from './dead-letter-group.js';

/** Texts of one look. An error that names an id has as many texts as letters. */
const MOST_TEXTS = 10_000;
/** Bounds a search that has no other bound. */
const ALL = { found: MAX_COUNT };

/**
 * Counts the newest 100,000 dead letters of a search by action and text of the error, those with the last failure first.
 * `within` bounds what is read. `complete`: these are all; what the log of an action tells may not be.
 */
export async function countErrors(
  session: Session,
  search: DeadLetterSearch,
  within: Within = ALL,
): Promise<{ counts: ErrorCount[]; complete: boolean }> {
  const { from, where, values } = deadLettersIn(search, [], within);
  const counts = await session.rows<ErrorCount>(
    `SELECT s.team_id AS teamId, n.story_id AS storyId, s.name AS storyName, n.agent_id AS agentId, a.name AS agentName,
            n.error, n.letters, CAST(n.retried AS SIGNED) AS retried, n.first_at AS firstAt, n.last_at AS lastAt,
            CAST(n.newest AS UNSIGNED) AS newestId
     FROM (SELECT l.story_id, l.agent_id, l.error, COUNT(*) AS letters, SUM(l.retries > 0) AS retried,
                  MIN(l.failed_at) AS first_at, MAX(l.failed_at) AS last_at,
                  SUBSTRING_INDEX(MAX(CONCAT(l.failed_at, ' ', LPAD(l.id, 20, '0'))), ' ', -1) AS newest
           FROM (SELECT d.id, d.story_id, d.agent_id, ${KIND_TEXT} AS error, d.retries, d.failed_at
                 FROM ${from} WHERE ${where} LIMIT ${MAX_COUNT}) l
           GROUP BY l.story_id, l.agent_id, l.error ORDER BY last_at DESC LIMIT ${MOST_TEXTS}) n
     JOIN stories s ON s.id = n.story_id LEFT JOIN agents a ON a.id = n.agent_id
     ORDER BY n.last_at DESC, newestId DESC`,
    values,
  );
  const letters = counts.reduce((sum, count) => sum + count.letters, 0);
  const areAll = counts.length < MOST_TEXTS && letters < MAX_COUNT;
  return { counts, complete: areAll && (await isWhole(session, search, { within, letters })) };
}

/** Whether the bound left none out. */
async function isWhole(
  session: Session,
  search: DeadLetterSearch,
  { within, letters }: { within: Within; letters: number },
): Promise<boolean> {
  if ('newest' in within) return areFewer(session, within.newest);
  if ('lines' in within) return false;
  const read = readBy(search);
  return (read === undefined ? letters : await countUpTo(session, read, within.found)) < within.found;
}

async function areFewer(session: Session, limit: number): Promise<boolean> {
  const [row] = await session.rows<{ read: number }>(
    `SELECT COUNT(*) AS \`read\` FROM (${newestIds(limit)}) n`,
  );
  return (row?.read ?? 0) < limit;
}

const LAST_DAY: Term = [
  `d.due_at > NOW(3) - INTERVAL ${HOURS} HOUR AND d.failed_at > NOW(3) - INTERVAL ${HOURS} HOUR`,
];

/**
 * Counts the dead letters of a search that failed within the last day by action, text of the error and hour. `within` bounds
 * what is read.
 */
export function countHours(
  session: Session,
  search: DeadLetterSearch,
  within: Within = ALL,
): Promise<HourCount[]> {
  const bound = 'found' in within ? { ...within, lastHours: HOURS } : within;
  const { from, where, values } = deadLettersIn(search, [LAST_DAY], bound);
  return session.rows<HourCount>(
    `SELECT l.team_id AS teamId, l.story_id AS storyId, l.agent_id AS agentId, l.error, l.hours_ago AS hoursAgo,
            COUNT(*) AS letters
     FROM (SELECT s.team_id, d.story_id, d.agent_id, ${KIND_TEXT} AS error,
                  TIMESTAMPDIFF(HOUR, d.failed_at, NOW(3)) AS hours_ago
           FROM ${from} WHERE ${where} LIMIT ${MAX_COUNT}) l
     GROUP BY l.team_id, l.story_id, l.agent_id, l.error, l.hours_ago LIMIT ${MOST_TEXTS}`,
    values,
  );
}
