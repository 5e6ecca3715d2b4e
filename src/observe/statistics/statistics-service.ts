import { type Actor, requireTeam, visibleTeamIds } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { visibleStory } from '../../stories/face.js';
import { findFreshness, findMinutesSince } from './freshness-store.js';
import { sumByMinute } from './minute-sum-store.js';
import { listCountedAgents, listCountedStories, listSlowAgents } from './statistics-page-store.js';
import { statisticsRangeOf, stepOf, timesOf } from './statistics-range.js';
import { NO_SUMS, type StatisticsScope, sumByAgent, sumByStory, sumByTime } from './statistics-sum-store.js';
import type { Statistics, StatisticsGroup, StatisticsQuery, TimeRange } from './statistics.js';

export type StatisticsService = ReturnType<typeof createStatisticsService>;

/** Reads statistics of the stories that the actor may see (spec §5.11). */
export function createStatisticsService({ database }: { database: Pick<Database, 'read'> }) {
  return {
    /**
     * Returns a page of groups: stories by id, actions by id or by their work, times newest first. Groups without rows have zeros.
     * @throws NotFound for a team or story that the actor may not see; Unprocessable for a range that is empty, too long or too old.
     */
    list(actor: Actor, query: StatisticsQuery, window: Window): Promise<Statistics> {
      return database.read(async (session) => {
        const scope = await scopeOf(session, actor, query);
        const { now, countedUntil } = await findFreshness(session);
        const range = statisticsRangeOf(query, now);
        const { items, total } = await groupsOf(session, scope, {
          by: query.by,
          order: query.order,
          range,
          window,
        });
        const countedSince = query.by === 'minute' ? await findMinutesSince(session) : undefined;
        return { groups: items, total, ...range, countedSince, countedUntil, now };
      });
    },
  };
}

/** A draft that is named by its id counts as it is. */
async function scopeOf(session: Session, actor: Actor, query: StatisticsQuery): Promise<StatisticsScope> {
  const { teamId, storyId, ofDrafts } = query;
  if (teamId !== undefined) requireTeam(actor, teamId, 'read');
  const story = storyId === undefined ? undefined : await visibleStory(actor, storyId, 'read', session);
  const isElsewhere = story !== undefined && teamId !== undefined && story.teamId !== teamId;
  const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
  if (isElsewhere) return { tenantId: actor.tenantId, teamIds: [], ofDrafts };
  return { tenantId: actor.tenantId, teamIds, storyId, ofDrafts };
}

interface Asked {
  by: StatisticsQuery['by'];
  order: StatisticsQuery['order'];
  range: TimeRange;
  window: Window;
}

function groupsOf(session: Session, scope: StatisticsScope, asked: Asked): Promise<Page<StatisticsGroup>> {
  if (asked.by === 'story') return storyGroups(session, scope, asked);
  if (asked.by === 'action') return actionGroups(session, scope, asked);
  return timeGroups(session, scope, asked);
}

async function storyGroups(
  session: Session,
  scope: StatisticsScope,
  { range, window }: Asked,
): Promise<Page<StatisticsGroup>> {
  const { items, total } = await listCountedStories(session, scope, window);
  const ids = items.map(({ id }) => id);
  const sums = await sumByStory(session, ids, range);
  return {
    total,
    items: items.map(({ id, name }) => ({
      ...range,
      story: { id, name },
      action: null,
      sums: sums.get(id) ?? NO_SUMS,
    })),
  };
}

async function actionGroups(
  session: Session,
  scope: StatisticsScope,
  { order, range, window }: Asked,
): Promise<Page<StatisticsGroup>> {
  const { items, total } =
    order === 'id'
      ? await listCountedAgents(session, scope, window)
      : await listSlowAgents(session, scope, { range, window });
  const ids = items.map(({ id }) => id);
  const sums = await sumByAgent(session, ids, range);
  return {
    total,
    items: items.map(({ id, name, storyId, storyName }) => ({
      ...range,
      story: { id: storyId, name: storyName },
      action: { id, name },
      sums: sums.get(id) ?? NO_SUMS,
    })),
  };
}

async function timeGroups(
  session: Session,
  scope: StatisticsScope,
  { by, range, window }: Asked,
): Promise<Page<StatisticsGroup>> {
  const step = stepOf({ by });
  const { times, total } = timesOf(range, step, window);
  const [newest, oldest] = [times[0], times.at(-1)];
  if (newest === undefined || oldest === undefined) return { items: [], total };
  const shown = { from: oldest.from, to: newest.to };
  const sums =
    by === 'minute'
      ? await sumByMinute(session, scope, shown)
      : await sumByTime(session, scope, { ...shown, step });
  const items = times.map((time) => {
    return { ...time, story: null, action: null, sums: sums.get(time.from.getTime()) ?? NO_SUMS };
  });
  return { items, total };
}
