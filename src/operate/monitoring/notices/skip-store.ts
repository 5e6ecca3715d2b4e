import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SkipReason } from '../../../stories/face.js';
import { MONITORED } from './failure-store.js';
import { toldStory, type ToldStoryRow } from './told-story.js';
import type { ToldStory } from './tell-story.js';

/** A schedule that has left out starts, of which its story's recipients were not told. */
export interface UntoldSkip {
  /** The schedule. */
  id: number;
  agentId: number;
  agentName: string;
  story: ToldStory;
  reason: SkipReason;
  /** The first start of the last ones, and when they were left out. */
  from: Date;
  until: Date;
}

/** Older ones are not told. A schedule is told of once a day, whatever it leaves out. */
const WANTED =
  'p.skipped_until > NOW(3) - INTERVAL 1 DAY AND (p.skip_told_at IS NULL OR p.skip_told_at < NOW(3) - INTERVAL 1 DAY)';

/** Returns up to `limit` such schedules of monitored stories with recipients, those of a story together. */
export async function findUntoldSkips(limit: number, session: Session): Promise<UntoldSkip[]> {
  const rows = await session.rows<Omit<UntoldSkip, 'story'> & ToldStoryRow>(
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
    return { id, agentId, agentName, reason, from, until, story: toldStory(row) };
  });
}

/** Notes that these schedules were told of. Returns the number of those that another process had not told of. */
export async function claimSkips(ids: readonly number[], session: Session): Promise<number> {
  const { affectedRows } = await session.run(
    `UPDATE schedules p SET p.skip_told_at = NOW(3) WHERE p.id IN (?) AND ${WANTED}`,
    [idsOrNone([...ids])],
  );
  return affectedRows;
}
