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

/** Where a body puts a story; `null`: in no folder. */
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

/** The story, for who may do this with it. @throws NotFound, or Forbidden when its role is too weak. */
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
      // Before the story, as imports do: a team that goes at the same time must not leave the story behind.
      if (change.teamId !== undefined) await holdTeam(change.teamId, session);
      const before = await lockedStory(actor, id, session);
      const folderId = await folderAfter(actor, { before, change }, session);
      await updateStory(id, { ...change, folderId }, session);
      return { before, after: await visibleStory(actor, id, 'read', session) };
    }),
  );
  await deps.changes.announce(id);
  // After the announcement: a worker that still takes the story for disabled would put them to rest again.
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
    // Without the team nobody can say whether the folder is of it.
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
 * The story's folder from now on, undefined for the one it has: a story that moves to another team leaves
 * its folder.
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
