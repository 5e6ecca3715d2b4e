import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { listPartIds, type PartFilter } from '../list/story-part-list-store.js';

/** The filter of a list of agents. */
export interface AgentFilter extends PartFilter {
  type?: string | undefined;
}

/** Returns the ids of a page of agents, in the order of stories and within them. */
export function listAgentIds(filter: AgentFilter, window: Window, session: Session): Promise<Page<number>> {
  const ofType: [string, string][] = filter.type === undefined ? [] : [['p.type = ?', filter.type]];
  const agents = { table: 'agents', index: 'agents_story', where: ofType };
  return listPartIds(filter, agents, window, session);
}

/** Returns the bytes of each of these agents, with those of its story, by id. */
export async function measureAgents(
  ids: readonly number[],
  session: Session,
): Promise<Map<number, { storyId: number; bytes: number; storyBytes: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; storyId: number; bytes: number; storyBytes: number }>(
    `SELECT a.id, a.story_id AS storyId, LENGTH(a.options) + LENGTH(a.extra) AS bytes, LENGTH(s.extra) AS storyBytes
     FROM agents a JOIN stories s ON s.id = a.story_id WHERE a.id IN (?)`,
    [[...ids]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
