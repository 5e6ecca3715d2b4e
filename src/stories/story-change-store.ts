import { assignments } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';
import { deleteStoryVersions } from './versions/version-store.js';
import { deleteStorySchedules } from './schedules/schedule-store.js';

/** The columns of a story that an update may change; undefined ones stay. */
export interface StoryColumns {
  name?: string | undefined;
  description?: string | null | undefined;
  keepEventsForSeconds?: number | undefined;
  disabled?: boolean | undefined;
  priority?: boolean | undefined;
  synchronousWebhooksEnabled?: boolean | undefined;
  /** null: in no folder. */
  folderId?: number | null | undefined;
  locked?: boolean | undefined;
  changeControlEnabled?: boolean | undefined;
  teamId?: number | undefined;
}

/** Locks the story until the transaction ends; returns false if it does not exist. */
export async function lockStory(id: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM stories WHERE id = ? FOR UPDATE', [id]);
  return rows.length > 0;
}

/** Sets the given columns. The caller increments the version. */
export async function updateStory(id: number, change: StoryColumns, session: Session): Promise<void> {
  const set = assignments({
    name: change.name,
    description: change.description,
    keep_events_for: change.keepEventsForSeconds,
    disabled: change.disabled,
    priority: change.priority,
    synchronous_webhooks_enabled: change.synchronousWebhooksEnabled,
    folder_id: change.folderId,
    team_id: change.teamId,
    locked: change.locked,
    change_control_enabled: change.changeControlEnabled,
  });
  if (set === undefined) return;
  await session.run(`UPDATE stories SET ${set.sql} WHERE id = ?`, [...set.values, id]);
}

/** Increments the story's version after a change of any part. */
export async function touchStory(id: number, session: Session): Promise<void> {
  await session.run('UPDATE stories SET version = version + 1, updated_at = NOW(3) WHERE id = ?', [id]);
}

/** Deletes the story with its links, agents, versions, schedules and memory, but not its deliveries. */
export async function deleteStory(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM links WHERE story_id = ?', [id]);
  await deleteStorySchedules(id, session);
  await session.run('DELETE m FROM agents a JOIN agent_memory m ON m.agent_id = a.id WHERE a.story_id = ?', [
    id,
  ]);
  await session.run('DELETE FROM agents WHERE story_id = ?', [id]);
  await deleteStoryVersions(id, session);
  await session.run('DELETE FROM stories WHERE id = ?', [id]);
}
