import type { Session } from '../../platform/mysql/session.js';
import { MINUTE_COUNTS, type MinuteCounts } from './count/counts.js';
import { NO_SUMS, type StatisticsScope, scopeStories, sumsOf } from './statistics-sum-store.js';
import type { GroupSums, TimeRange } from './statistics.js';

const SUMS = sumsOf(MINUTE_COUNTS);

/**
 * Returns the sums of each minute that has any, by its start in ms since 1970. It reads the rows of the scope's stories
 * in the range, by primary key.
 */
export async function sumByMinute(
  session: Session,
  scope: StatisticsScope,
  { from, to }: TimeRange,
): Promise<Map<number, GroupSums>> {
  const stories = scopeStories(scope);
  const rows = await session.rows<MinuteCounts & { at: Date }>(
    `SELECT x.minute AS at, ${SUMS}
     FROM stories s STRAIGHT_JOIN story_minutes x FORCE INDEX (PRIMARY)
       ON x.story_id = s.id AND x.minute >= ? AND x.minute < ?
     WHERE ${stories.where} GROUP BY x.minute`,
    [from, to, ...stories.values],
  );
  return new Map(rows.map(({ at, ...sums }) => [at.getTime(), { ...NO_SUMS, ...sums }]));
}
