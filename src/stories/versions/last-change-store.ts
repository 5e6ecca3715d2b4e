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

/** A story and a time in it. */
export interface StoryTime {
  storyId: number;
  time: Date;
}

/** Returns the last change of the story before this time; undefined: no version tells of one. */
export async function lastChangeBefore(
  at: StoryTime,
  session: Session,
): Promise<StoryChangeRecord | undefined> {
  const [change] = await lastChangesBefore([at], session);
  return change;
}

/** Does the same for several stories and times, in their order. */
export async function lastChangesBefore(
  times: readonly StoryTime[],
  session: Session,
): Promise<(StoryChangeRecord | undefined)[]> {
  if (times.length === 0) return [];
  const asked = times.map(({ storyId, time }, place) => ({
    place,
    storyId,
    time: time.toISOString().replace('T', ' ').replace('Z', ''),
  }));
  const rows = await session.rows<ChangeRow & { place: number }>(
    `SELECT k.place, v.id, v.number, v.name, v.source, IF(v.updated_at <= k.at_time, v.updated_at, v.created_at) AS changedAt,
            u.id AS userId, COALESCE(NULLIF(TRIM(CONCAT_WS(' ', u.first_name, u.last_name)), ''),
                                     SUBSTRING_INDEX(u.email, '@', 1)) AS userName
     FROM JSON_TABLE(?, '$[*]' COLUMNS (place INT PATH '$.place', story_id BIGINT PATH '$.storyId',
                                        at_time DATETIME(3) PATH '$.time')) k
     STRAIGHT_JOIN story_versions v FORCE INDEX (story_versions_number) ON v.story_id = k.story_id AND v.number =
       (SELECT w.number FROM story_versions w FORCE INDEX (story_versions_number)
        WHERE w.story_id = k.story_id AND w.created_at <= k.at_time AND w.source <> 'before' ORDER BY w.number DESC LIMIT 1)
     LEFT JOIN users u ON u.id = v.user_id`,
    [JSON.stringify(asked)],
  );
  const changes = new Map(
    rows.map(({ place, userId, userName, ...change }) => [
      place,
      { ...change, by: userId === null ? undefined : { id: userId, name: userName } },
    ]),
  );
  return asked.map(({ place }) => changes.get(place));
}
