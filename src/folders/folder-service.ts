import { requireTeam, visibleTeamIds, homeTeamId } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import type { Page, Window } from '../platform/mysql/page-query.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import { NotFound } from '../platform/errors.js';
import { holdTeam } from '../access/tenants/hold-team.js';
import {
  deleteFolder,
  findFolder,
  type Folder,
  insertFolder,
  listFolders,
  renameFolder,
} from './folder-store.js';

export type FolderService = ReturnType<typeof createFolderService>;

/** Folders, with checks of what the actor may see and change. @throws NotFound for a folder that the actor may not see. */
export function createFolderService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  return {
    /** Returns the folders of the team, or of every team that the actor may read. */
    async list(actor: Actor, teamId: number | undefined, window: Window): Promise<Page<Folder>> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      return database.read((session) => listFolders(teamIds, window, session));
    },

    get: (actor: Actor, id: number): Promise<Folder> =>
      database.read((session) => visibleFolder(actor, id, 'read', session)),

    async create(actor: Actor, input: { name: string; teamId: number | undefined }): Promise<Folder> {
      const teamId = homeTeamId(actor, input.teamId, 'write');
      const store = async (session: Session) => {
        await holdTeam(teamId, session);
        const id = await insertFolder({ name: input.name, teamId }, session);
        return visibleFolder(actor, id, 'write', session);
      };
      return retryLockConflicts(() => database.transaction(store));
    },

    /** @throws NotFound and Forbidden as `rename`. */
    checkRename: (actor: Actor, id: number): Promise<void> =>
      database.read(async (session) => void (await visibleFolder(actor, id, 'write', session))),

    rename: (actor: Actor, id: number, name: string): Promise<Folder> =>
      database.read(async (session) => {
        await visibleFolder(actor, id, 'write', session);
        await renameFolder(id, name, session);
        return visibleFolder(actor, id, 'write', session);
      }),

    /** Deletes the folder; its stories and resources stay, in no folder. */
    delete: (actor: Actor, id: number): Promise<void> =>
      retryLockConflicts(() =>
        database.transaction(async (session) => {
          const folder = await visibleFolder(actor, id, 'write', session);
          await deleteFolder(folder, session);
        }),
      ),
  };
}

async function visibleFolder(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<Folder> {
  const folder = await findFolder(id, session);
  if (folder === undefined) throw new NotFound('Folder');
  requireTeam(actor, folder.teamId, need, 'Folder');
  return folder;
}
