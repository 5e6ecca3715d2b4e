import { countUpTo, readIds } from '../../platform/mysql/statements/id-page.js';
import { idsOrNone, type Page, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { type StatisticsScope, scopeStories } from './statistics-sum-store.js';
import type { TimeRange } from './statistics.js';

/** A story or an agent with its names. */
export interface NamedPlace {
  id: number;
  name: string;
  storyId: number;
  storyName: string;
}

const ACTIONS = 'stories s STRAIGHT_JOIN agents a FORCE INDEX (agents_story) ON a.story_id = s.id';

/** Returns a page of the scope's stories, by id. */
export async function listCountedStories(
  session: Session,
  scope: StatisticsScope,
  window: Window,
): Promise<Page<NamedPlace>> {
  const query = { id: 's.id', from: 'stories s', order: 's.id', ...scopeStories(scope) };
  const { items: ids, total } = await readIds(session, query, {
    window,
    total: await countUpTo(session, query),
  });
  const items = await session.rows<NamedPlace>(
    'SELECT id, name, id AS storyId, name AS storyName FROM stories WHERE id IN (?) ORDER BY id',
    [idsOrNone(ids)],
  );
  return { items, total };
}

/**
 * Returns a page of the actions of the scope's stories that worked in the range, those that worked longest for an event
 * first. It reads a row for each of these actions and hour, by primary key.
 */
export async function listSlowAgents(
  session: Session,
  scope: StatisticsScope,
  { range, window }: { range: TimeRange; window: Window },
): Promise<Page<NamedPlace>> {
  const stories = scopeStories(scope);
  const from = `${ACTIONS} STRAIGHT_JOIN agent_counts x FORCE INDEX (PRIMARY)
    ON x.agent_id = a.id AND x.hour >= ? AND x.hour < ? AND x.timed_events > 0 WHERE ${stories.where}`;
  const values = [range.from, range.to, ...stories.values];
  const items = await session.rows<NamedPlace>(
    `SELECT w.id, a.name, s.id AS storyId, s.name AS storyName
     FROM (SELECT x.agent_id AS id, SUM(x.work_ms) / SUM(x.timed_events) AS mean FROM ${from}
           GROUP BY x.agent_id ORDER BY mean DESC, id LIMIT ? OFFSET ?) w
     STRAIGHT_JOIN agents a FORCE INDEX (PRIMARY) ON a.id = w.id
     STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = a.story_id ORDER BY w.mean DESC, w.id`,
    [...values, window.limit, window.offset],
  );
  const [counted] = await session.rows<{ total: number }>(
    `SELECT COUNT(DISTINCT x.agent_id) AS total FROM ${from}`,
    values,
  );
  return { items, total: counted?.total ?? 0 };
}

/** Returns a page of the actions of the scope's stories, by story and place in it. */
export async function listCountedAgents(
  session: Session,
  scope: StatisticsScope,
  window: Window,
): Promise<Page<NamedPlace>> {
  const order = 'a.story_id, a.position, a.id';
  const query = { id: 'a.id', from: ACTIONS, order, ...scopeStories(scope) };
  const { items: ids, total } = await readIds(session, query, {
    window,
    total: await countUpTo(session, query),
  });
  const items = await session.rows<NamedPlace>(
    `SELECT a.id, a.name, s.id AS storyId, s.name AS storyName
     FROM agents a JOIN stories s ON s.id = a.story_id WHERE a.id IN (?) ORDER BY ${order}`,
    [idsOrNone(ids)],
  );
  return { items, total };
}
