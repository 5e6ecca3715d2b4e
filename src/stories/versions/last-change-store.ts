import type { Session } from '../../platform/mysql/session.js';
import type { VersionSource } from './version-store.js';

/** A change of a story: the version that it made. */
export interface StoryChangeRecord {
  /** That of the version. */
  id: number;
  /** Version number in the story. */
  number: number;
  name: string | null;
  source: VersionSource;
  changedAt: Date;
  /** Undefined: the user was deleted. */
  by: { id: number; name: string } | undefined;
}

interface ChangeRow extends Omit<StoryChangeRecord, 'by'> {
  userId: number | null;
  userName: string;
}

/** Returns the last change of the story before this time; undefined: no version tells of one. */
export async function lastChangeBefore(
  { storyId, time }: { storyId: number; time: Date },
  session: Session,
): Promise<StoryChangeRecord | undefined> {
  const [row] = await session.rows<ChangeRow>(
    `SELECT v.id, v.number, v.name, v.source, IF(v.updated_at <= ?, v.updated_at, v.created_at) AS changedAt,
            u.id AS userId, COALESCE(NULLIF(TRIM(CONCAT_WS(' ', u.first_name, u.last_name)), ''),
                                     SUBSTRING_INDEX(u.email, '@', 1)) AS userName
     FROM story_versions v FORCE INDEX (story_versions_number) LEFT JOIN users u ON u.id = v.user_id
     WHERE v.story_id = ? AND v.created_at <= ? AND v.source <> 'before' ORDER BY v.number DESC LIMIT 1`,
    [time, storyId, time],
  );
  if (row === undefined) return undefined;
  const { userId, userName, ...change } = row;
  return { ...change, by: userId === null ? undefined : { id: userId, name: userName } };
}
