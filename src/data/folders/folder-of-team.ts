import { type Actor, requireTeam } from '../../api/face.js';
import { NotFound, type Problem } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { findFolder } from './folder-store.js';

/**
 * Returns the problem of a folder for a thing of this team; without a valid team, any folder is accepted.
 * @throws NotFound for a folder that the actor may not see.
 */
export async function folderProblems(
  actor: Actor,
  { folderId, teamId }: { folderId: number | null | undefined; teamId: number | undefined },
  session: Session,
): Promise<Problem[]> {
  if (folderId === null || folderId === undefined) return [];
  const folder = await findFolder(folderId, session);
  if (folder === undefined) throw new NotFound('Folder');
  requireTeam(actor, folder.teamId, 'read', 'Folder');
  if (teamId === undefined || folder.teamId === teamId) return [];
  return [{ message: 'folder_id belongs to another team', details: 'folder_id' }];
}
