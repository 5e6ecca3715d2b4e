import { containsPattern, type Page, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { listPartIds, type PartFilter } from '../list/story-part-list-store.js';

/** The filter of a list of agents. */
export interface AgentFilter extends PartFilter {
  type?: string | undefined;
  /** Part of the name or of the webhook path. */
  search?: string | undefined;
  /** Whether the name of the story may have that part instead. */
  searchesStories?: boolean | undefined;
}

/** Returns the ids of a page of agents, in the order of stories and within them. */
export function listAgentIds(filter: AgentFilter, window: Window, session: Session): Promise<Page<number>> {
  const { type, search = '', searchesStories = false } = filter;
  const where: [string, string][] = type === undefined ? [] : [['p.type = ?', type]];
  if (search !== '') {
    const texts = `p.name, CONVERT(p.webhook_path USING utf8mb4)${searchesStories ? ', s.name' : ''}`;
    const contains = `CONCAT_WS('\n', ${texts}) COLLATE utf8mb4_unicode_520_ci LIKE ? ESCAPE '!'`;
    where.push([contains, containsPattern(search)]);
  }
  return listPartIds(filter, { table: 'agents', index: 'agents_story', where }, window, session);
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
