import { countPendingByAgent } from '../activity/story-activity-store.js';
import { type Page, containsPattern, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** An action with deliveries that have not been done yet. */
export interface PendingAction {
  id: number;
  name: string;
  type: string;
  guid: string;
  storyId: number;
  pendingActionRuns: number;
}

/** Returns a page of the story's actions that have work waiting, those with the most first. */
export async function listPendingActions(
  storyId: number,
  { search = '', window }: { search?: string | undefined; window: Window },
  session: Session,
): Promise<Page<PendingAction>> {
  const pending = await countPendingByAgent(storyId, session);
  if (pending.size === 0) return { items: [], total: 0 };
  const rows = await session.rows<Omit<PendingAction, 'pendingActionRuns'>>(
    `SELECT id, name, type, guid, story_id AS storyId FROM agents
     WHERE story_id = ? AND id IN (?) AND name LIKE ? ESCAPE '!' ORDER BY position, id`,
    [storyId, [...pending.keys()], containsPattern(search)],
  );
  const actions = rows
    .map((row) => ({ ...row, pendingActionRuns: pending.get(row.id) ?? 0 }))
    .toSorted((a, b) => b.pendingActionRuns - a.pendingActionRuns);
  return { items: actions.slice(window.offset, window.offset + window.limit), total: actions.length };
}
