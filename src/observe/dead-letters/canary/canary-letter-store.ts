import { LOG_LEVELS } from '../../../agents/face.js';
import type { DeadLetterRef } from '../../../engine/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import { KIND_TEXT } from '../dead-letter-search-store.js';
import { KIND_CHARS } from '../groups/error-kind.js';
import type { CanaryCounts } from './canary.js';

/** Letters of one statement. */
const AT_ONCE = 1_000;

/** States of a letter, as they are stored. */
const STATES = { waiting: 0, running: 1, passed: 2, failed: 3, skipped: 4 } as const;
type LetterEnd = 'passed' | 'failed' | 'skipped';

/** Gives letters to a retry, except those of one that runs; returns how many it got. */
export async function claimLetters(
  session: Session,
  canaryId: number,
  letters: readonly Pick<DeadLetterRef, 'id' | 'generation'>[],
): Promise<number> {
  for (let start = 0; start < letters.length; start += AT_ONCE) {
    const some = letters.slice(start, start + AT_ONCE);
    // A claim of another retry is waited for, then left as it is.
    await session.run(
      `INSERT INTO canary_letters (canary_id, position, delivery_id, claim, generation)
       SELECT ?, ? + v.place, v.id, v.id, v.generation
       FROM JSON_TABLE(?, '$[*]' COLUMNS (place FOR ORDINALITY, id BIGINT PATH '$[0]', generation INT PATH '$[1]')) v
       ON DUPLICATE KEY UPDATE canary_letters.claim = canary_letters.claim`,
      [canaryId, start, JSON.stringify(some.map(({ id, generation }) => [id, generation]))],
    );
  }
  return (await countLetters(session, canaryId)).waiting;
}

/** Returns how many letters of a retry are in which state. */
export async function countLetters(session: Session, canaryId: number): Promise<CanaryCounts> {
  const rows = await session.rows<{ state: number; count: number }>(
    'SELECT state, COUNT(*) AS count FROM canary_letters WHERE canary_id = ? GROUP BY state',
    [canaryId],
  );
  const byState = new Map(rows.map(({ state, count }) => [state, count]));
  const counts = Object.entries(STATES).map(([name, state]) => [name, byState.get(state) ?? 0]);
  return Object.fromEntries(counts) as CanaryCounts;
}

/** Returns how many letters passed before the second stage: that of the first stage, or none. */
export async function countPassedBefore(
  session: Session,
  { id, stage }: { id: number; stage: number },
): Promise<number> {
  if (stage !== 2) return 0;
  const [first] = await session.rows<{ state: number }>(
    `SELECT state FROM canary_letters FORCE INDEX (PRIMARY)
     WHERE canary_id = ? AND error_kind IS NOT NULL ORDER BY position LIMIT 1`,
    [id],
  );
  return first?.state === STATES.passed ? 1 : 0;
}

/** A letter that is to be retried next. */
export interface NextLetter extends DeadLetterRef {
  position: number;
  retries: number;
  storyRunGuid: string;
  /** The first characters of its error. */
  error: string;
  /** Whether it is the same dead letter as when the retry began. */
  isReady: boolean;
}

/** Returns letters of a retry that wait, in their order; of one that is gone, only the position. */
export async function nextLetters(session: Session, canaryId: number, limit: number): Promise<NextLetter[]> {
  const rows = await session.rows<Omit<NextLetter, 'isReady'> & { isReady: number }>(
    `SELECT l.position, l.delivery_id AS id, d.generation, d.queue, d.story_id AS storyId, d.retries,
            d.story_run_guid AS storyRunGuid, ${KIND_TEXT} AS error,
            COALESCE(d.state = 'failed' AND d.generation = l.generation AND r.cancelled_at IS NULL, 0) AS isReady
     FROM canary_letters l FORCE INDEX (canary_letters_state) LEFT JOIN deliveries d ON d.id = l.delivery_id
     LEFT JOIN story_runs r ON r.guid = d.story_run_guid
     WHERE l.canary_id = ? AND l.state = ${STATES.waiting} ORDER BY l.position LIMIT ?`,
    [canaryId, limit],
  );
  return rows.map((row) => ({ ...row, isReady: row.isReady !== 0 }));
}

/** A letter that was retried. */
export interface SentLetter extends Pick<NextLetter, 'position' | 'retries' | 'storyRunGuid'> {
  /** The kind of error that must not come back; null for letters of the rest. */
  kind: string | null;
}

/** Notes in the transaction of the retry that these letters run. `retries` is the count before. */
export async function markSent(session: Session, canaryId: number, letters: SentLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await session.run(
    `UPDATE canary_letters l
     JOIN JSON_TABLE(?, '$[*]' COLUMNS (position INT PATH '$.position', retries INT PATH '$.retries',
                                        guid CHAR(36) PATH '$.storyRunGuid', kind VARCHAR(160) PATH '$.kind')) v
       ON v.position = l.position
     SET l.state = ${STATES.running}, l.retries = v.retries + 1, l.story_run_guid = v.guid, l.error_kind = v.kind
     WHERE l.canary_id = ?`,
    [JSON.stringify(letters), canaryId],
  );
}

/** Notes how these letters ended; other retries may have them from now on. */
export async function markEnded(
  session: Session,
  canaryId: number,
  { positions, end }: { positions: number[]; end: LetterEnd },
): Promise<void> {
  if (positions.length === 0) return;
  await session.run(
    `UPDATE canary_letters SET state = ${STATES[end]}, claim = NULL WHERE canary_id = ? AND position IN (?)`,
    [canaryId, positions],
  );
}

/** A letter of which there is news: it ended, or an attempt of it failed. */
export interface LetterNews {
  position: number;
  deliveryId: number;
  /** The kind of error that must not come back. */
  kind: string | null;
  /** The last error, if an attempt failed; null if the delivery is gone and did not fail. */
  error: string | null;
  end: LetterEnd | undefined;
}

interface NewsRow extends Omit<LetterNews, 'end'> {
  isGone: number;
  isDead: number;
  isCancelled: number;
}

/**
 * Returns news of letters that run. The delivery tells: it is gone once its action succeeded, and a dead letter once it
 * failed for good. One that failed and was dropped or retried since has a line in the log.
 */
export async function letterNews(session: Session, canaryId: number): Promise<LetterNews[]> {
  const rows = await session.rows<NewsRow>(
    `SELECT l.position, l.delivery_id AS deliveryId, l.error_kind AS kind, IF(d.id IS NULL, NULL, ${KIND_TEXT}) AS error,
            d.id IS NULL AS isGone, COALESCE(d.state = 'failed' OR d.retries > l.retries, 0) AS isDead,
            COALESCE(r.cancelled_at >= c.created_at, 0) AS isCancelled
     FROM canary_letters l FORCE INDEX (canary_letters_state) JOIN canaries c ON c.id = l.canary_id
     LEFT JOIN deliveries d ON d.id = l.delivery_id LEFT JOIN story_runs r ON r.guid = l.story_run_guid
     WHERE l.canary_id = ? AND l.state = ${STATES.running} AND
       (d.id IS NULL OR d.state = 'failed' OR d.retries > l.retries OR (l.error_kind IS NOT NULL AND d.attempts > 0))
     ORDER BY l.position LIMIT ${AT_ONCE}`,
    [canaryId],
  );
  const gone = rows.filter(({ isGone, isCancelled }) => isGone !== 0 && isCancelled === 0);
  const died = await findDied(session, canaryId, gone);
  return rows.map(({ isGone, isDead, isCancelled, ...row }) => {
    if (isDead !== 0) return { ...row, end: 'failed' };
    if (isGone === 0) return { ...row, end: undefined };
    if (isCancelled !== 0) return { ...row, end: 'skipped' };
    const error = died.get(row.deliveryId);
    return error === undefined ? { ...row, end: 'passed' } : { ...row, error, end: 'failed' };
  });
}

/** Returns the last errors of those of these deliveries that failed for good since the retry began. */
async function findDied(
  session: Session,
  canaryId: number,
  letters: Pick<LetterNews, 'deliveryId'>[],
): Promise<Map<number, string>> {
  if (letters.length === 0) return new Map();
  const rows = await session.rows<{ id: number; error: string }>(
    `SELECT g.delivery_id AS id, LEFT(g.message, ${KIND_CHARS}) AS error FROM agent_logs g FORCE INDEX (agent_logs_delivery)
     WHERE g.delivery_id IN (?) AND g.attempt IS NOT NULL AND g.level >= ${LOG_LEVELS.error}
       AND g.created_at >= (SELECT c.created_at FROM canaries c WHERE c.id = ?) ORDER BY g.id`,
    [letters.map(({ deliveryId }) => deliveryId), canaryId],
  );
  return new Map(rows.map(({ id, error }) => [id, error]));
}

/** Lets others retry the letters of a retry that stopped and still waits for some. */
export async function releaseWaiting(session: Session, canaryId: number): Promise<void> {
  await session.run(
    `UPDATE canary_letters SET claim = NULL WHERE canary_id = ? AND state = ${STATES.waiting}`,
    [canaryId],
  );
}

/** Deletes the letters of a retry that ended: its counts are kept. */
export async function deleteLetters(session: Session, canaryId: number): Promise<void> {
  await session.run('DELETE FROM canary_letters WHERE canary_id = ?', [canaryId]);
}
