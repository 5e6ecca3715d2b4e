import { countUpTo, readIds } from '../../platform/mysql/id-page.js';
import type { Page, Window } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/sql.js';

/** The filter of a list of notes. `teamIds`: the teams that the actor may see, or one of them. */
export interface NoteFilter {
  tenantId: number;
  teamIds: number[];
  storyId?: number | undefined;
  /** Notes of drafts instead of those of live stories. */
  drafts?: boolean | undefined;
}

/** Returns the ids of a page of notes, in the order of stories and within them. */
export async function listNoteIds(
  filter: NoteFilter,
  window: Window,
  session: Session,
): Promise<Page<number>> {
  if (filter.teamIds.length === 0) return { items: [], total: 0 };
  const terms: [string, SqlValue][] = [
    ['s.tenant_id = ?', filter.tenantId],
    ['s.team_id IN (?)', filter.teamIds],
  ];
  if (filter.storyId !== undefined)
    terms.push(['n.story_id = ?', filter.storyId], ['s.id = ?', filter.storyId]);
  // A draft is no part of a list over several stories, unless drafts are asked for.
  const mode = filter.drafts === true ? ' AND s.draft_of IS NOT NULL' : ' AND s.draft_of IS NULL';
  const live = filter.storyId === undefined ? mode : '';
  const query = {
    id: 'n.id',
    from: 'stories s STRAIGHT_JOIN story_notes n FORCE INDEX (story_notes_story) ON n.story_id = s.id',
    where: terms.map(([sql]) => sql).join(' AND ') + live,
    values: terms.map(([, value]) => value),
    order: 'n.story_id, n.position, n.id',
  };
  return readIds(session, query, { window, total: await countUpTo(session, query) });
}
