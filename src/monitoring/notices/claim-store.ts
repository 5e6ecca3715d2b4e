import type { Session } from '../../platform/mysql/session.js';

/** When recipients of a story were last told: of failures, or of its monitored actions. */
export type ClaimTable = 'story_failure_notices' | 'story_watch_notices';

const LONG_AGO = "'2000-01-01'";
/** They are told at most once in ten minutes. */
export const PAUSE = 'NOW(3) - INTERVAL 10 MINUTE';

/** Returns true for the one process that may tell recipients of the story now. */
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

/** Deletes up to `limit` rows that no longer hold anything back. */
export async function forgetOldClaims(table: ClaimTable, limit: number, session: Session): Promise<void> {
  await session.run(
    `DELETE FROM ${table} WHERE tried_at < NOW(3) - INTERVAL 1 DAY ORDER BY tried_at LIMIT ?`,
    [limit],
  );
}
