import { idsOrNone, type Page, readPage, type Window } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';

/** A group of stories and resources of a team. */
export interface Folder {
  id: number;
  teamId: number;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = 'id, team_id AS teamId, name, created_at AS createdAt, updated_at AS updatedAt';

/** Returns a page of the folders of these teams, by id. */
export function listFolders(teamIds: number[], window: Window, session: Session): Promise<Page<Folder>> {
  const query = {
    columns: COLUMNS,
    from: 'folders',
    where: 'team_id IN (?)',
    values: [idsOrNone(teamIds)],
    order: 'id',
  };
  return readPage<Folder>(session, query, window);
}

export async function findFolder(id: number, session: Session): Promise<Folder | undefined> {
  const [folder] = await session.rows<Folder>(`SELECT ${COLUMNS} FROM folders WHERE id = ?`, [id]);
  return folder;
}

/** Returns the new folder's id. */
export async function insertFolder(
  folder: Pick<Folder, 'teamId' | 'name'>,
  session: Session,
): Promise<number> {
  const { insertId } = await session.run('INSERT INTO folders (team_id, name) VALUES (?, ?)', [
    folder.teamId,
    folder.name,
  ]);
  return insertId;
}

export async function renameFolder(id: number, name: string, session: Session): Promise<void> {
  await session.run('UPDATE folders SET name = ?, updated_at = NOW(3) WHERE id = ?', [name, id]);
}

/** Deletes the folder and removes its stories and resources from it. Call it in a transaction. */
export async function deleteFolder({ id, teamId }: Folder, session: Session): Promise<void> {
  await session.run('UPDATE stories SET folder_id = NULL WHERE team_id = ? AND folder_id = ?', [teamId, id]);
  await session.run('UPDATE resources SET folder_id = NULL WHERE team_id = ? AND folder_id = ?', [
    teamId,
    id,
  ]);
  await session.run('DELETE FROM folders WHERE id = ?', [id]);
}
