import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { AGENT_COUNTS, type AllCounts, COUNT_COLUMNS, NO_COUNTS, STORY_COUNTS } from './count/counts.js';
import type { GroupSums, TimeRange } from './statistics.js';

/** The stories that count: one, or those of teams. */
export interface StatisticsScope {
  tenantId: number;
  teamIds: number[];
  /** Counts whether it is a draft or not. */
  storyId?: number | undefined;
  ofDrafts: boolean;
}

type SumRow = Partial<AllCounts> & { id: number };
interface BucketRow {
  id: number;
  bucket: number;
  runs: number;
}

/** Without a CAST a sum is a decimal, which the driver returns as text. */
const sumOf = (name: keyof AllCounts) => `CAST(SUM(x.${COUNT_COLUMNS[name]}) AS SIGNED) AS ${name}`;
/** Returns the sums of counts of a table `x`, as SQL. */
export const sumsOf = (names: readonly (keyof AllCounts)[]) => names.map(sumOf).join(', ');
const STORY_SUMS = sumsOf(STORY_COUNTS);
const AGENT_SUMS = sumsOf(AGENT_COUNTS);
const RUNS = 'x.bucket, CAST(SUM(x.runs) AS SIGNED) AS runs';
const IN_RANGE = 'x.hour >= ? AND x.hour < ?';

/** Returns the condition for the stories `s` of a scope, and its values. */
export function scopeStories({ tenantId, teamIds, storyId, ofDrafts }: StatisticsScope): {
  where: string;
  values: SqlValue[];
} {
  if (storyId !== undefined) return { where: 's.id = ? AND s.tenant_id = ?', values: [storyId, tenantId] };
  const where = `s.tenant_id = ? AND s.team_id IN (?) AND s.draft_of IS ${ofDrafts ? 'NOT NULL' : 'NULL'}`;
  return { where, values: [tenantId, idsOrNone(teamIds)] };
}

/** Returns the sums of each of these stories that has any, by id. */
export async function sumByStory(
  session: Session,
  ids: number[],
  { from, to }: TimeRange,
): Promise<Map<number, GroupSums>> {
  const where = `FROM %t x FORCE INDEX (PRIMARY) WHERE x.story_id IN (?) AND ${IN_RANGE}`;
  const values = [idsOrNone(ids), from, to];
  const sums = await session.rows<SumRow>(
    `SELECT x.story_id AS id, ${STORY_SUMS} ${where.replace('%t', 'story_counts')} GROUP BY x.story_id`,
    values,
  );
  const buckets = await session.rows<BucketRow>(
    `SELECT x.story_id AS id, ${RUNS} ${where.replace('%t', 'duration_counts')} GROUP BY x.story_id, x.bucket`,
    values,
  );
  return merged(sums, buckets);
}

/** Returns the sums of each of these agents that has any, by id; runs belong to stories. */
export async function sumByAgent(
  session: Session,
  ids: number[],
  { from, to }: TimeRange,
): Promise<Map<number, GroupSums>> {
  const sums = await session.rows<SumRow>(
    `SELECT x.agent_id AS id, ${AGENT_SUMS} FROM agent_counts x FORCE INDEX (PRIMARY)
     WHERE x.agent_id IN (?) AND ${IN_RANGE} GROUP BY x.agent_id`,
    [idsOrNone(ids), from, to],
  );
  return merged(sums, []);
}

/** Returns the sums of each hour or day that has any, by its start in ms since 1970. `step` is its length in ms. */
export async function sumByTime(
  session: Session,
  scope: StatisticsScope,
  { from, to, step }: TimeRange & { step: number },
): Promise<Map<number, GroupSums>> {
  const stories = scopeStories(scope);
  const at = `UNIX_TIMESTAMP(x.hour) DIV ${Math.floor(step / 1000)}`;
  const where = `FROM stories s STRAIGHT_JOIN %t x FORCE INDEX (PRIMARY) ON x.story_id = s.id AND ${IN_RANGE} WHERE ${stories.where}`;
  const values = [from, to, ...stories.values];
  const sums = await session.rows<SumRow>(
    `SELECT ${at} AS id, ${STORY_SUMS} ${where.replace('%t', 'story_counts')} GROUP BY ${at}`,
    values,
  );
  const buckets = await session.rows<BucketRow>(
    `SELECT ${at} AS id, ${RUNS} ${where.replace('%t', 'duration_counts')} GROUP BY ${at}, x.bucket`,
    values,
  );
  return new Map([...merged(sums, buckets)].map(([id, found]) => [id * step, found]));
}

function merged(rows: SumRow[], buckets: BucketRow[]): Map<number, GroupSums> {
  const ofGroup = new Map<number, BucketRow[]>(rows.map(({ id }) => [id, []]));
  for (const bucket of buckets) ofGroup.get(bucket.id)?.push(bucket);
  return new Map(
    rows.map(({ id, ...sums }) => [id, { ...NO_COUNTS, ...sums, durations: ofGroup.get(id) ?? [] }]),
  );
}

/** For a group in which nothing happened. */
export const NO_SUMS: GroupSums = { ...NO_COUNTS, durations: [] };
