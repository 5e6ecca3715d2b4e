import { countUpTo, readIds } from '../../platform/mysql/id-page.js';
import { idsOrNone, type Page, type Window } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { type StatisticsScope, storiesOf } from './statistics-sum-store.js';

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
  const query = { id: 's.id', from: 'stories s', order: 's.id', ...storiesOf(scope) };
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

/** Returns a page of the actions of the scope's stories, by story and place in it. */
export async function listCountedAgents(
  session: Session,
  scope: StatisticsScope,
  window: Window,
): Promise<Page<NamedPlace>> {
  const order = 'a.story_id, a.position, a.id';
  const query = { id: 'a.id', from: ACTIONS, order, ...storiesOf(scope) };
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
