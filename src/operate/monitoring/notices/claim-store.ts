import type { Session } from '../../../platform/mysql/session.js';

/** Time at which recipients of a story were last notified: of failures, or of its monitored actions. */
export type ClaimTable = 'story_failure_notices' | 'story_watch_notices';

const LONG_AGO = "'2000-01-01'";
/** Recipients are notified at most once in ten minutes. */
export const PAUSE = 'NOW(3) - INTERVAL 10 MINUTE';

/** Returns true for the one process that may notify recipients of the story now. */
export async function claimStory(table: ClaimTable, storyId: number, session: Session): Promise<boolean> {
  await session.run(
    `INSERT INTO ${table} (story_id, tried_at) VALUES (?, ${LONG_AGO}) ON DUPLICATE KEY UPDATE story_id = story_id`,
    [storyId],
  );
  const { affectedRows } = await session.run(
    `UPDATE ${table} SET tried_at = NOW(3) WHERE story_id = ? AND tried_at < ${PAUSE}`,
    [storyId],
  );
  return affectedRows > 0;
}

/**
 * Deletes up to `limit` rows that no longer hold anything back. It looks without locks and deletes by primary key, the way
 * claims lock their rows: by the index of times, both waited for each other.
 */
export async function forgetOldClaims(table: ClaimTable, limit: number, session: Session): Promise<void> {
  const old = 'tried_at < NOW(3) - INTERVAL 1 DAY';
  const rows = await session.rows<{ id: number }>(
    `SELECT story_id AS id FROM ${table} WHERE ${old} ORDER BY tried_at LIMIT ?`,
    [limit],
  );
  if (rows.length === 0) return;
  await session.run(`DELETE FROM ${table} WHERE story_id IN (?) AND ${old}`, [rows.map(({ id }) => id)]);
}
