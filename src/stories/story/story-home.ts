import { type Actor, defaultTeamId, requireTeam, teamProblems } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { NotFound, type Problem } from '../../platform/errors.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import { FOLDER_OF_ANOTHER_TEAM, type RequestedHome } from '../edit/story-change.js';
import { findFolderTeam } from './story-store.js';

/**
 * Returns the team of a new story: the named one, else that of the folder, else the actor's own.
 * @throws NotFound and Forbidden for a team or a folder that the actor may not see or change.
 */
export async function homeOf(
  actor: Actor,
  place: RequestedHome,
  database: Pick<Database, 'read'>,
): Promise<{ teamId: number | undefined; problems: Problem[] }> {
  const folderTeam = await visibleFolderTeam(actor, place.folder_id ?? undefined, database);
  const named = place.team_id ?? folderTeam;
  const isUnclear = isFaulty(place, 'team_id') || (named === undefined && isFaulty(place, 'folder_id'));
  if (isUnclear) return { teamId: undefined, problems: [] };
  const teamId = named ?? defaultTeamId(actor);
  const problems = teamProblems(actor, teamId, 'write');
  if (folderTeam !== undefined && folderTeam !== teamId) problems.push(FOLDER_OF_ANOTHER_TEAM);
  return { teamId, problems };
}

/** Returns the team of a folder. @throws NotFound for a folder that the actor may not see. */
export async function visibleFolderTeam(
  actor: Actor,
  folderId: number | undefined,
  database: Pick<Database, 'read'>,
): Promise<number | undefined> {
  if (folderId === undefined) return undefined;
  const teamId = await database.read((session) => findFolderTeam(folderId, session));
  if (teamId === undefined) throw new NotFound('Folder');
  requireTeam(actor, teamId, 'read', 'Folder');
  return teamId;
}
