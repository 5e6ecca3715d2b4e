import { assignments } from '../../platform/mysql/statements/page-query.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonObject } from '../../platform/json.js';
import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import { deleteDraftBase, findDraftIds } from '../drafts/draft-store.js';
import { deleteStoryNotes } from '../notes/note-store.js';
import { endStoryPromotions } from '../promotions/promotion-store.js';
import { endStoryRequests } from '../requests/change-request-store.js';
import { deleteStoryVersions } from '../versions/version-store.js';
import { deleteStorySchedules } from '../schedules/schedule-store.js';
import { pickSettings } from '../settings/story-settings.js';
import { deleteOwners } from '../settings/owner-store.js';
import { deleteRecipientSecrets } from '../settings/recipient-secret-store.js';
import { ensureTagsOfStories } from '../../data/face.js';

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
  ownerUserId?: number | null | undefined;
  ownerTeamId?: number | null | undefined;
  /** The export's keys without a column. */
  extra?: JsonObject | undefined;
}

/** Locks the story until the transaction ends; returns false if it does not exist. */
export function lockStory(id: number, session: Session): Promise<boolean> {
  return claimRow(session, 'stories', id);
}

/** Sets the given columns; drafts follow their story to another team. The caller increments the version. */
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
    owner_user_id: change.ownerUserId,
    owner_team_id: change.ownerTeamId,
    change_control_enabled: change.changeControlEnabled,
    ...(change.extra !== undefined && extraColumns(change.extra)),
  });
  if (set === undefined) return;
  await session.run(`UPDATE stories SET ${set.sql} WHERE id = ?`, [...set.values, id]);
  if (change.extra !== undefined) await ensureTagsOfStories([id], session);
  if (change.teamId === undefined) return;
  await session.run('UPDATE stories SET team_id = ? WHERE draft_of = ?', [change.teamId, id]);
  await ensureTagsOfStories([id, ...(await findDraftIds(id, session))], session);
}

/** Returns the columns that hold the export's keys without a column of their own. */
export function extraColumns(extra: JsonObject): { extra: string; settings: string } {
  return { extra: stringifyJson(extra), settings: stringifyJson(pickSettings(extra)) };
}

/** Returns the export's keys without a column. */
export async function findExtra(id: number, session: Session): Promise<JsonObject> {
  const [row] = await session.rows<{ extra: string }>('SELECT extra FROM stories WHERE id = ?', [id]);
  return row === undefined ? {} : (parseJson(row.extra) as JsonObject);
}

/** Increments the story's version after a change of this part. */
export async function touchStory(id: number, part: 'settings' | 'graph', session: Session): Promise<void> {
  const edited = part === 'graph' ? ', edited_at = NOW(3)' : '';
  await session.run(`UPDATE stories SET version = version + 1, updated_at = NOW(3)${edited} WHERE id = ?`, [
    id,
  ]);
}

/** Deletes the story with its drafts and all parts of both, but not its deliveries. */
export async function deleteStory(id: number, session: Session): Promise<void> {
  for (const draftId of await findDraftIds(id, session)) await deleteStory(draftId, session);
  await session.run('DELETE FROM links WHERE story_id = ?', [id]);
  await deleteStorySchedules(id, session);
  await session.run('DELETE m FROM agents a JOIN agent_memory m ON m.agent_id = a.id WHERE a.story_id = ?', [
    id,
  ]);
  await session.run('DELETE FROM agents WHERE story_id = ?', [id]);
  await deleteStoryNotes(id, session);
  await deleteStoryVersions(id, session);
  await deleteDraftBase(id, session);
  await endStoryRequests(id, session);
  await endStoryPromotions(id, session);
  await deleteOwners(id, session);
  await deleteRecipientSecrets(id, session);
  await session.run('DELETE FROM stories WHERE id = ?', [id]);
}
