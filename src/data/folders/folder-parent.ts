import { type Actor, requireTeam } from '../../api/face.js';
import { NotFound, type Problem } from '../../platform/errors.js';
import type { findFolder } from './folder-store.js';

/** Most folders in one another. */
const MAX_DEPTH = 10;

/** The place of a folder: its team, and the folder that is to hold it. */
export interface FolderPlace {
  /** Undefined for a new folder. */
  id: number | undefined;
  /** Undefined if the request has no valid team. */
  teamId: number | undefined;
  /** Undefined: it stays; null: no folder. */
  parentId: number | null | undefined;
}

/**
 * Returns the problem of a folder's place: a folder of another team, one inside of it, or too many in one another.
 * @param find reads a folder; a change locks it too, so that two changes at once cannot put two folders into each other.
 * @throws NotFound for a folder that the actor may not see.
 */
export async function parentProblems(
  actor: Actor,
  { id, teamId, parentId }: FolderPlace,
  find: (id: number) => ReturnType<typeof findFolder>,
): Promise<Problem[]> {
  if (parentId === undefined || parentId === null) return [];
  const seen: number[] = [];
  for (let next: number | null = parentId; next !== null; ) {
    if (next === id) return [problem('is the folder itself or one of its subfolders')];
    if (seen.length === MAX_DEPTH - 1) return [problem(`would be nested more than ${MAX_DEPTH} deep`)];
    const folder = await find(next);
    if (folder === undefined) throw new NotFound('Folder');
    requireTeam(actor, folder.teamId, 'read', 'Folder');
    if (teamId !== undefined && folder.teamId !== teamId) return [problem('belongs to another team')];
    seen.push(next);
    next = folder.parentId;
  }
  return [];
}

function problem(fault: string): Problem {
  return { message: `parent_folder_id ${fault}`, details: 'parent_folder_id' };
}
