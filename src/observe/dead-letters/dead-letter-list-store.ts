import { countUpTo, MAX_COUNT } from '../../platform/mysql/statements/id-page.js';
import { readNewest, type WalkPage, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { DeadLetterRef } from '../../engine/face.js';
import { START_QUEUE } from '../../agents/face.js';
import type { DeadLetter, DeadLetterSearch } from './dead-letter.js';
import { deadLettersIn, NEWEST_FIRST, type Term } from './dead-letter-search-store.js';

/** Returns the ids of a page of dead letters, newest first. A text is looked for in the newest 100,000 that the other filters leave. */
export async function listDeadLetterIds(
  session: Session,
  search: DeadLetterSearch,
  window: WalkWindow,
): Promise<WalkPage<number>> {
  const { error, errorTexts } = search;
  const within = error === undefined && errorTexts === undefined ? undefined : { found: MAX_COUNT };
  const query = { ...NEWEST_FIRST, ...deadLettersIn(search, [], within) };
  return readNewest(session, query, { window, total: await countUpTo(session, query) });
}

/** Returns the dead letters with these ids that still exist, in the order of the ids. */
export async function findDeadLetters(session: Session, ids: number[]): Promise<DeadLetter[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<DeadLetter>(
    `SELECT d.id, s.team_id AS teamId, d.story_id AS storyId, s.name AS storyName, d.agent_id AS agentId,
            a.name AS agentName, d.story_run_guid AS storyRunGuid, IF(d.queue = ?, NULL, d.event_id) AS eventId,
            d.attempts, d.retries, d.error, d.cause, d.created_at AS createdAt, d.failed_at AS failedAt
     FROM deliveries d JOIN stories s ON s.id = d.story_id LEFT JOIN agents a ON a.id = d.agent_id
     WHERE d.id IN (?) AND d.state = 'failed'`,
    [START_QUEUE, ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A dead letter with the data that decides whether it may be changed. */
export interface FoundDeadLetter extends DeadLetterRef {
  teamId: number;
  runCancelled: boolean;
}

/** Returns the tenant's dead letter with this id. */
export async function findDeadLetter(
  session: Session,
  { id, tenantId }: { id: number; tenantId: number },
): Promise<FoundDeadLetter | undefined> {
  const [row] = await session.rows<Omit<FoundDeadLetter, 'runCancelled'> & { runCancelled: number }>(
    `SELECT d.id, d.generation, d.queue, d.story_id AS storyId, s.team_id AS teamId,
            r.cancelled_at IS NOT NULL AS runCancelled
     FROM deliveries d JOIN stories s ON s.id = d.story_id LEFT JOIN story_runs r ON r.guid = d.story_run_guid
     WHERE d.id = ? AND d.state = 'failed' AND s.tenant_id = ?`,
    [id, tenantId],
  );
  return row && { ...row, runCancelled: row.runCancelled !== 0 };
}

/** The position in a walk through dead letters. Times are in the database's format. */
export interface DeadLetterWalk {
  /** Excludes letters that failed later, so that a letter that fails again is not processed twice. */
  until: string;
  after: { dueAt: string; id: number };
}

/** Starts a walk from the oldest dead letter to the present, by the database's clock. */
export async function beginWalk(session: Session): Promise<DeadLetterWalk> {
  const [row] = await session.rows<{ now: string }>('SELECT CAST(NOW(3) AS CHAR) AS now');
  return { until: row?.now ?? '', after: { dueAt: '1970-01-02 00:00:00.000', id: 0 } };
}

/** Selects the runs of a walk. */
export interface WalkOptions {
  /** Includes letters of cancelled runs, which cannot be retried. */
  withCancelled: boolean;
  /** Default true: includes letters that belong to a canary retry that runs. */
  withClaimed?: boolean | undefined;
}

/** Returns the next dead letters of a walk, oldest first, and the new position. */
export async function nextDeadLetters(
  session: Session,
  search: DeadLetterSearch,
  page: WalkOptions & { walk: DeadLetterWalk; limit: number },
): Promise<{ letters: DeadLetterRef[]; walk: DeadLetterWalk }> {
  const { from, where, values } = walkOf(search, page);
  const rows = await session.rows<DeadLetterRef & { dueAt: string }>(
    `SELECT d.id, d.generation, d.queue, d.story_id AS storyId, CAST(d.due_at AS CHAR) AS dueAt
     FROM ${from} WHERE ${where} ORDER BY d.due_at, d.id LIMIT ?`,
    [...values, page.limit],
  );
  const last = rows.at(-1);
  const walk = last === undefined ? page.walk : { ...page.walk, after: { dueAt: last.dueAt, id: last.id } };
  const letters = rows.map(({ id, generation, queue, storyId }) => ({ id, generation, queue, storyId }));
  return { letters, walk };
}

/** Returns the number of letters left in a walk, up to the bound of lists. */
export function countLeft(
  session: Session,
  search: DeadLetterSearch,
  page: WalkOptions & { walk: DeadLetterWalk },
): Promise<number> {
  return countUpTo(session, walkOf(search, page));
}

function walkOf(
  search: DeadLetterSearch,
  { walk, withCancelled, withClaimed = true }: WalkOptions & { walk: DeadLetterWalk },
) {
  const { dueAt, id } = walk.after;
  const more: Term[] = [
    ['d.due_at >= ? AND d.due_at <= ?', dueAt, walk.until],
    ['(d.due_at > ? OR d.id > ?)', dueAt, id],
  ];
  if (!withCancelled) {
    more.push([
      'NOT EXISTS (SELECT 1 FROM story_runs r WHERE r.guid = d.story_run_guid AND r.cancelled_at IS NOT NULL)',
    ]);
  }
  if (!withClaimed) more.push(['NOT EXISTS (SELECT 1 FROM canary_letters l WHERE l.claim = d.id)']);
  return deadLettersIn(search, more);
}
