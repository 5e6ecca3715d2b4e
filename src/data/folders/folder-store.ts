import {
  assignments,
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../platform/mysql/statements/page-query.js';
import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';

/** The kinds of things that folders are made for. */
export const CONTENT_TYPES = ['STORY', 'CREDENTIAL', 'RESOURCE'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** A group of things of a team. */
export interface Folder {
  id: number;
  teamId: number;
  name: string;
  contentType: ContentType;
  /** Parent folder; null if none. */
  parentId: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export type NewFolder = Pick<Folder, 'teamId' | 'name' | 'contentType' | 'parentId'>;
/** The columns that an update may change; undefined ones stay. */
export interface FolderColumns {
  name?: string | undefined;
  parentId?: number | null | undefined;
}

export interface FolderFilter {
  teamIds: number[];
  contentType: ContentType | undefined;
}

const COLUMNS =
  'id, team_id AS teamId, name, content_type AS contentType, parent_folder_id AS parentId,' +
  ' created_at AS createdAt, updated_at AS updatedAt';

/** Returns a page of the folders of these teams, by id. */
export function listFolders(
  { teamIds, contentType }: FolderFilter,
  window: Window,
  session: Session,
): Promise<Page<Folder>> {
  const query = {
    columns: COLUMNS,
    from: 'folders',
    where: contentType === undefined ? 'team_id IN (?)' : 'team_id IN (?) AND content_type = ?',
    values: [idsOrNone(teamIds), ...(contentType === undefined ? [] : [contentType])],
    order: 'id',
  };
  return readPage<Folder>(session, query, window);
}

export async function findFolder(id: number, session: Session): Promise<Folder | undefined> {
  const [folder] = await session.rows<Folder>(`SELECT ${COLUMNS} FROM folders WHERE id = ?`, [id]);
  return folder;
}

/** Returns the folder, locked until the transaction ends. */
export async function lockFolder(id: number, session: Session): Promise<Folder | undefined> {
  return (await claimRow(session, 'folders', id)) ? findFolder(id, session) : undefined;
}

/** Returns the number of things in each of these folders that holds any, by id of the folder. */
export async function countContents(
  folders: Pick<Folder, 'id' | 'teamId'>[],
  session: Session,
): Promise<Map<number, number>> {
  if (folders.length === 0) return new Map();
  const place = [[...new Set(folders.map(({ teamId }) => teamId))], folders.map(({ id }) => id)];
  const parts = ['stories', 'resources'].map(
    (table) => `SELECT folder_id AS id FROM ${table} WHERE team_id IN (?) AND folder_id IN (?)`,
  );
  const rows = await session.rows<{ id: number; n: number }>(
    `SELECT id, COUNT(*) AS n FROM (${parts.join(' UNION ALL ')}) x GROUP BY id`,
    [...place, ...place],
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Returns the new folder's id. */
export async function insertFolder(folder: NewFolder, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO folders (team_id, name, content_type, parent_folder_id) VALUES (?)',
    [[folder.teamId, folder.name, folder.contentType, folder.parentId]],
  );
  return insertId;
}

/** Sets the given columns. */
export async function updateFolder(id: number, change: FolderColumns, session: Session): Promise<void> {
  const set = assignments({ name: change.name, parent_folder_id: change.parentId });
  if (set === undefined) return;
  await session.run(`UPDATE folders SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
}

/** Deletes the folder: its things are in no folder then, its folders in its parent. Call it in a transaction. */
export async function deleteFolder({ id, teamId, parentId }: Folder, session: Session): Promise<void> {
  await session.run('UPDATE stories SET folder_id = NULL WHERE team_id = ? AND folder_id = ?', [teamId, id]);
  await session.run('UPDATE resources SET folder_id = NULL WHERE team_id = ? AND folder_id = ?', [
    teamId,
    id,
  ]);
  await session.run('UPDATE folders SET parent_folder_id = ? WHERE parent_folder_id = ?', [parentId, id]);
  await session.run('UPDATE credentials SET folder_id = NULL WHERE team_id = ? AND folder_id = ?', [
    teamId,
    id,
  ]);
  await session.run('DELETE FROM folders WHERE id = ?', [id]);
}
