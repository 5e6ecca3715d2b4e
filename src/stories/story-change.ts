import { requireTeam } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import { NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import { deleteStoryDeliveries, wakeResting } from '../engine/state/story-deliveries-store.js';
import { holdTeam } from '../access/tenants/hold-team.js';
import { isFaulty } from '../platform/validation/partial-input.js';
import { deleteStory, lockStory, type StoryColumns, updateStory } from './story-change-store.js';
import type { StoryChanges } from './story-changes.js';
import { findFolderTeam, findStory, type StoryRecord } from './story-store.js';

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

/** Returns the story if the actor may see it. @throws NotFound, or Forbidden if the actor's role is too weak. */
export async function visibleStory(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<StoryRecord> {
  const story = await findStory(id, actor.tenantId, session);
  if (story === undefined) throw new NotFound('Story');
  requireTeam(actor, story.teamId, need, 'Story');
  return story;
}

/** See `StoryService.update`. */
export async function changeStory(
  actor: Actor,
  { id, change }: { id: number; change: StoryColumns },
  deps: Deps,
): Promise<StoryRecord> {
  const { before, after } = await retryLockConflicts(() =>
    deps.database.transaction(async (session) => {
      // The team is locked before the story, as imports do: the team must not be deleted before the story moves there.
      if (change.teamId !== undefined) await holdTeam(change.teamId, session);
      const before = await lockedStory(actor, id, session);
      const folderId = await folderAfter(actor, { before, change }, session);
      await updateStory(id, { ...change, folderId }, session);
      return { before, after: await visibleStory(actor, id, 'read', session) };
    }),
  );
  await deps.changes.announce(id);
  // After the announcement: a worker that still sees the story as disabled would suspend them again.
  if (before.disabled && !after.disabled) {
    await deps.changes.followUp(id, () => wakeResting(deps.database, id));
  }
  return after;
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

async function lockedStory(actor: Actor, id: number, session: Session): Promise<StoryRecord> {
  await visibleStory(actor, id, 'write', session);
  if (!(await lockStory(id, session))) throw new NotFound('Story');
  return visibleStory(actor, id, 'write', session);
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
