import { countUpTo, type IdQuery, readIds } from '../../platform/mysql/statements/id-page.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';

/** The filter of a list of parts of stories. `teamIds`: the teams that the actor may see, or one of them. */
export interface PartFilter {
  tenantId: number;
  teamIds: number[];
  storyId?: number | undefined;
  /** Parts of drafts instead of those of live stories. */
  drafts?: boolean | undefined;
}

/** A table of parts, with `story_id`: stores write it, never input. */
export interface PartTable {
  table: string;
  /** Its index by story. */
  index: string;
  /** Further conditions; the table is `p`. */
  where?: [string, SqlValue][];
  /** Ends with the id; by story and `position` unless given. */
  order?: string;
}

/** Returns the ids of a page of parts, in the order of the table. */
export async function listPartIds(
  filter: PartFilter,
  { table, index, where = [], order = 'p.story_id, p.position, p.id' }: PartTable,
  window: Window,
  session: Session,
): Promise<Page<number>> {
  if (filter.teamIds.length === 0) return { items: [], total: 0 };
  const terms: [string, SqlValue][] = [
    ['s.tenant_id = ?', filter.tenantId],
    ['s.team_id IN (?)', filter.teamIds],
    ...where,
  ];
  const { storyId } = filter;
  if (storyId !== undefined) terms.push(['p.story_id = ?', storyId], ['s.id = ?', storyId]);
  // A draft is no part of a list over several stories, unless drafts are asked for.
  const mode = filter.drafts === true ? ' AND s.draft_of IS NOT NULL' : ' AND s.draft_of IS NULL';
  const query: IdQuery = {
    id: 'p.id',
    from: `stories s STRAIGHT_JOIN ${table} p FORCE INDEX (${index}) ON p.story_id = s.id`,
    where: terms.map(([sql]) => sql).join(' AND ') + (storyId === undefined ? mode : ''),
    values: terms.map(([, value]) => value),
    order,
  };
  return readIds(session, query, { window, total: await countUpTo(session, query) });
}
