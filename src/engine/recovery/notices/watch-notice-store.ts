import type { Session } from '../../../platform/mysql/session.js';

/** At most one mail each ten minutes for a story, also if it could not be sent. */
const PAUSE = 'NOW(3) - INTERVAL 10 MINUTE';

/** Returns true for the one process that may tell of the story's watched actions now. */
export async function claimWatchNotice(storyId: number, session: Session): Promise<boolean> {
  await session.run(
    `INSERT INTO story_watch_notices (story_id, tried_at) VALUES (?, '2000-01-01')
     ON DUPLICATE KEY UPDATE story_id = story_id`,
    [storyId],
  );
  const { affectedRows } = await session.run(
    `UPDATE story_watch_notices SET tried_at = NOW(3) WHERE story_id = ? AND tried_at < ${PAUSE}`,
    [storyId],
  );
  return affectedRows > 0;
}

/** Deletes up to `limit` rows that no longer hold a mail back. */
export async function forgetOldWatchNotices(limit: number, session: Session): Promise<void> {
  await session.run(
    'DELETE FROM story_watch_notices WHERE tried_at < NOW(3) - INTERVAL 1 DAY ORDER BY tried_at LIMIT ?',
    [limit],
  );
}
