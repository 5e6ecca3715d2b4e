import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SkipReason } from '../../../stories/face.js';
import { MONITORED } from './failure-store.js';
import { toNotifiedStory, type NotifiedStoryRow } from './notified-story.js';
import type { NotifiedStory } from './notify-story.js';

/** A schedule with skipped starts of which its story's recipients were not notified. */
export interface UnnotifiedSkip {
  /** The schedule. */
  id: number;
  agentId: number;
  agentName: string;
  story: NotifiedStory;
  reason: SkipReason;
  /** The first start of the last ones, and when they were left out. */
  from: Date;
  until: Date;
}

/** Older ones are not reported. A schedule is reported once a day at most. */
const WANTED =
  'p.skipped_until > NOW(3) - INTERVAL 1 DAY AND (p.skip_told_at IS NULL OR p.skip_told_at < NOW(3) - INTERVAL 1 DAY)';

/** Returns up to `limit` such schedules of monitored stories with recipients, those of a story together. */
export async function findUnnotifiedSkips(limit: number, session: Session): Promise<UnnotifiedSkip[]> {
  const rows = await session.rows<Omit<UnnotifiedSkip, 'story'> & NotifiedStoryRow>(
    `SELECT p.id, a.id AS agentId, a.name AS agentName, p.skipped_reason AS reason, p.skipped_at AS \`from\`,
            p.skipped_until AS until, s.id AS storyId, s.tenant_id AS tenantId, s.team_id AS teamId,
            s.name AS storyName, s.settings
     FROM schedules p FORCE INDEX (schedules_skipped) STRAIGHT_JOIN stories s ON s.id = p.story_id
       STRAIGHT_JOIN agents a ON a.id = p.agent_id
     WHERE ${WANTED} AND s.draft_of IS NULL AND JSON_LENGTH(s.settings, '$.recipients') > 0 AND ${MONITORED}
     ORDER BY s.id, p.id LIMIT ?`,
    [limit],
  );
  return rows.map((row) => {
    const { id, agentId, agentName, reason, from, until } = row;
    return { id, agentId, agentName, reason, from, until, story: toNotifiedStory(row) };
  });
}

/** Marks these schedules as notified. Returns the number of those that no other process had marked. */
export async function claimSkips(ids: readonly number[], session: Session): Promise<number> {
  const { affectedRows } = await session.run(
    `UPDATE schedules p SET p.skip_told_at = NOW(3) WHERE p.id IN (?) AND ${WANTED}`,
    [idsOrNone([...ids])],
  );
  return affectedRows;
}
