import { countUpTo, readIds } from '../../platform/mysql/id-page.js';
import type { Page, Window } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/sql.js';

/** The filter of a list of agents. `teamIds`: the teams that the actor may see, or one of them. */
export interface AgentFilter {
  tenantId: number;
  teamIds: number[];
  storyId?: number | undefined;
  /** Actions of drafts instead of those of live stories. */
  drafts?: boolean | undefined;
  type?: string | undefined;
}

/** Returns the ids of a page of agents, in the order of stories and within them. */
export async function listAgentIds(
  filter: AgentFilter,
  window: Window,
  session: Session,
): Promise<Page<number>> {
  if (filter.teamIds.length === 0) return { items: [], total: 0 };
  const terms: [string, SqlValue][] = [
    ['s.tenant_id = ?', filter.tenantId],
    ['s.team_id IN (?)', filter.teamIds],
  ];
  if (filter.storyId !== undefined)
    terms.push(['s.id = ?', filter.storyId], ['a.story_id = ?', filter.storyId]);
  // A draft is no part of a list over several stories, unless drafts are asked for.
  const mode = filter.drafts === true ? ' AND s.draft_of IS NOT NULL' : ' AND s.draft_of IS NULL';
  const live = filter.storyId === undefined ? mode : '';
  if (filter.type !== undefined) terms.push(['a.type = ?', filter.type]);
  const query = {
    id: 'a.id',
    from: 'stories s STRAIGHT_JOIN agents a FORCE INDEX (agents_story) ON a.story_id = s.id',
    where: terms.map(([sql]) => sql).join(' AND ') + live,
    values: terms.map(([, value]) => value),
    order: 'a.story_id, a.position, a.id',
  };
  return readIds(session, query, { window, total: await countUpTo(session, query) });
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
