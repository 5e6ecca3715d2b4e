import { type Actor, requireTeam } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { holdTeam } from '../../people/face.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import { type StoryColumns, updateStory } from './story-change-store.js';
import { type Changed, type Expecting, versionAfter } from './story-version.js';
import type { StoryEditor } from './story-editor.js';
import {
  asksForNothing,
  extraAfter,
  type SettingsRequest,
  storySettingsProblems,
} from '../settings/settings-request.js';
import { requireGuards } from '../settings/guarded-settings.js';
import { requireUser } from '../settings/story-people.js';
import { type StoryView, viewStory } from '../settings/story-view.js';
import { visibleStory } from '../story/visible-story.js';
import { findFolderTeam, type StoryRecord } from '../story/story-store.js';

/** The team and folder in a request body; `null`: in no folder. */
export interface RequestedHome {
  team_id?: number | null | undefined;
  folder_id?: number | null | undefined;
}

export const FOLDER_OF_ANOTHER_TEAM: Problem = {
  message: 'folder_id belongs to another team',
  details: 'folder_id',
};

/** The fields of an update; undefined ones stay. */
export interface StoryChange extends Omit<StoryColumns, 'extra'> {
  settings?: SettingsRequest | undefined;
}

/** The valid parts of an update, to be checked. */
export interface StoryCheck {
  place: RequestedHome;
  settings: SettingsRequest;
}

/** See `StoryService.update`. */
export function changeStory(
  actor: Actor,
  { id, ifMatch, change: { settings, ...change } }: Expecting & { change: StoryChange },
  editor: StoryEditor,
): Promise<StoryView & Changed> {
  const { teamId } = change;
  return editor.edit(actor, {
    storyId: id,
    ifMatch,
    part: 'settings',
    // Imports do the same: the team must not be deleted before the story moves there.
    ...(teamId !== undefined && { before: (session) => holdTeam(teamId, session) }),
    async work(before, { session, wake }) {
      requireGuards(actor, before, { ...change, testsOnPublish: settings?.testsOnPublish });
      requireHome(before, change);
      await requireKnownOwner(actor, { before, change }, session);
      const folderId = await folderAfter(actor, { before, change }, session);
      const same = settings === undefined || asksForNothing(settings);
      const extra = same ? undefined : await extraAfter(id, settings, session);
      const description = describedAfter(before, change);
      await updateStory(id, { ...change, description, folderId, extra }, session);
      if (before.disabled && change.disabled === false) wake();
      const after = await viewStory(await visibleStory(actor, id, 'read', session), session);
      return { ...after, storyVersion: versionAfter(before) };
    },
  });
}

/** A missing description is given as an empty one, and stays missing if it comes back so. */
function describedAfter(before: StoryRecord, { description }: StoryChange): string | null | undefined {
  return description === '' && before.description === null ? undefined : description;
}

/** @throws Conflict for a draft that would leave its story's team. */
function requireHome(before: StoryRecord, { teamId }: StoryColumns): void {
  if (before.draftOf !== null && teamId !== undefined && teamId !== before.teamId) {
    throw new Conflict([{ message: 'A draft cannot leave the team of its story', details: 'team_id' }]);
  }
}

/**
 * An owner who stays is not asked for: a client sends back a story whose owner it may not see.
 * @throws NotFound for a user or a team that the actor may not see.
 */
async function requireKnownOwner(
  actor: Actor,
  { before, change: { ownerUserId, ownerTeamId } }: { before: StoryRecord; change: StoryColumns },
  session: Session,
): Promise<void> {
  if (ownerUserId && ownerUserId !== before.ownerUserId) await requireUser(actor, ownerUserId, session);
  if (ownerTeamId && ownerTeamId !== before.ownerTeamId) requireTeam(actor, ownerTeamId, 'read', 'Team');
}

/** See `StoryService.checkUpdate`. */
export function checkStoryChange(
  actor: Actor,
  { id, place, settings }: StoryCheck & { id: number },
  database: Pick<Database, 'read'>,
): Promise<Problem[]> {
  return database.read(async (session) => {
    const before = await visibleStory(actor, id, 'write', session);
    const problems = await storySettingsProblems(id, settings, session);
    // Without a valid team, the folder's team cannot be checked.
    if (isFaulty(place, 'team_id')) return problems;
    const change = { teamId: place.team_id ?? undefined, folderId: place.folder_id };
    await folderAfter(actor, { before, change }, session);
    return problems;
  });
}

/** Sets whether a story is disabled; undefined: the other way round. @throws NotFound and Forbidden. */
export function switchStory(
  actor: Actor,
  { id, ifMatch, disabled }: Expecting & { disabled: boolean | undefined },
  editor: StoryEditor,
): Promise<StoryView & Changed> {
  return editor.edit(actor, {
    storyId: id,
    ifMatch,
    part: 'settings',
    async work(before, { session, wake }) {
      const rests = disabled ?? !before.disabled;
      await updateStory(id, { disabled: rests }, session);
      if (before.disabled && !rests) wake();
      const after = await viewStory(await visibleStory(actor, id, 'read', session), session);
      return { ...after, storyVersion: versionAfter(before) };
    },
  });
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
