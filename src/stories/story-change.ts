import { requireTeam } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import { NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import { deleteStoryDeliveries } from '../engine/state/story-deliveries-store.js';
import { holdTeam } from '../access/tenants/hold-team.js';
import { isFaulty } from '../platform/validation/partial-input.js';
import { deleteStory, type StoryColumns, updateStory } from './story-change-store.js';
import type { StoryChanges } from './story-changes.js';
import { lockedStory, type StoryEditor } from './story-editor.js';
import { visibleStory } from './visible-story.js';
import { findFolderTeam, type StoryRecord } from './story-store.js';

/** The team and folder in a request body; `null`: in no folder. */
export interface StoryPlace {
  team_id?: number | null | undefined;
  folder_id?: number | null | undefined;
}

export const FOLDER_OF_ANOTHER_TEAM: Problem = {
  message: 'folder_id is a folder of another team',
  details: 'folder_id',
};

interface Deps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}

/** See `StoryService.update`. */
export function changeStory(
  actor: Actor,
  { id, change }: { id: number; change: StoryColumns },
  editor: StoryEditor,
): Promise<StoryRecord> {
  const { teamId } = change;
  return editor.edit(actor, {
    storyId: id,
    part: 'settings',
    // As imports do: the team must not be deleted before the story moves there.
    ...(teamId !== undefined && { before: (session) => holdTeam(teamId, session) }),
    async work(before, { session, wake }) {
      const folderId = await folderAfter(actor, { before, change }, session);
      await updateStory(id, { ...change, folderId }, session);
      const after = await visibleStory(actor, id, 'read', session);
      if (before.disabled && !after.disabled) wake();
      return after;
    },
  });
}

/** See `StoryService.checkUpdate`. */
export function checkStoryChange(
  actor: Actor,
  { id, body }: { id: number; body: StoryPlace },
  database: Pick<Database, 'read'>,
): Promise<void> {
  return database.read(async (session) => {
    const before = await visibleStory(actor, id, 'write', session);
    // Without a valid team, the folder's team cannot be checked.
    if (isFaulty(body, 'team_id')) return;
    const change = { teamId: body.team_id ?? undefined, folderId: body.folder_id };
    await folderAfter(actor, { before, change }, session);
  });
}

/** See `StoryService.delete`. */
export async function removeStory(actor: Actor, id: number, deps: Deps): Promise<void> {
  await retryLockConflicts(() =>
    deps.database.transaction(async (session) => {
      await lockedStory(actor, id, session);
      await deleteStory(id, session);
    }),
  );
  await deps.changes.announce(id);
  await deps.changes.followUp(id, () => retryLockConflicts(() => deleteStoryDeliveries(deps.database, id)));
}

/**
 * Returns the story's folder after the change, undefined if it stays. A story that moves to another team leaves its
 * folder.
 */
async function folderAfter(
  actor: Actor,
  { before, change }: { before: StoryRecord; change: StoryColumns },
  session: Session,
): Promise<number | null | undefined> {
  const teamId = change.teamId ?? before.teamId;
  if (teamId !== before.teamId) requireTeam(actor, teamId, 'write');
  if (change.folderId === undefined) return teamId === before.teamId ? undefined : null;
  if (change.folderId === null) return null;
  const folderTeam = await findFolderTeam(change.folderId, session);
  if (folderTeam === undefined) throw new NotFound('Folder');
  requireTeam(actor, folderTeam, 'read', 'Folder');
  if (folderTeam !== teamId) throw new Unprocessable([FOLDER_OF_ANOTHER_TEAM]);
  return change.folderId;
}
