import { type Actor, homeTeamId, homeTeamProblems, requireTeam, visibleTeamIds } from '../../api/face.js';
import { holdTeam } from '../../people/face.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import {
  type ContentType,
  countContents,
  deleteFolder,
  findFolder,
  type Folder,
  insertFolder,
  listFolders,
  lockFolder,
  updateFolder,
} from './folder-store.js';

/** Most folders in one another. */
const MOST_LEVELS = 10;

/** A folder, and the number of stories and resources in it. */
export interface SizedFolder extends Folder {
  size: number;
}

/** The parts of a request that say where a folder is to be. */
export interface FolderPlaceBody {
  team_id?: number | undefined;
  parent_folder_id?: number | null | undefined;
}

/** A change of a folder. Its team and content type may be given, as they are. */
export interface FolderChange extends FolderPlaceBody {
  name?: string | undefined;
  content_type?: ContentType | undefined;
}

export type FolderService = ReturnType<typeof createFolderService>;

/** Folders, with checks of what the actor may see and change. @throws NotFound for a folder that the actor may not see. */
export function createFolderService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  const inTransaction = <Result>(work: (session: Session) => Promise<Result>) =>
    retryLockConflicts(() => database.transaction(work));
  return {
    /** Returns the folders of the team, or of every team that the actor may read. */
    async list(
      actor: Actor,
      { teamId, contentType }: { teamId: number | undefined; contentType: ContentType | undefined },
      window: Window,
    ): Promise<Page<SizedFolder>> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      return database.read(async (session) => {
        const { items, total } = await listFolders({ teamIds, contentType }, window, session);
        return { items: await sized(items, session), total };
      });
    },

    get: (actor: Actor, id: number): Promise<SizedFolder> =>
      database.read((session) => sizedFolder(actor, id, session)),

    /** @throws NotFound and Forbidden as `create`. */
    checkCreate: (actor: Actor, body: FolderPlaceBody): Promise<Problem[]> =>
      database.read(async (session) => {
        const problems = homeTeamProblems(actor, body, 'write');
        const isClear = problems.length === 0 && !isFaulty(body, 'team_id');
        const teamId = isClear ? homeTeamId(actor, body.team_id, 'write') : undefined;
        const place = { id: undefined, teamId, parentId: body.parent_folder_id };
        return [...problems, ...(await parentProblems(actor, place, finder(session)))];
      }),

    /** @throws Unprocessable for a parent of another team, or too deep. */
    async create(
      actor: Actor,
      input: { name: string; teamId: number | undefined; contentType: ContentType; parentId: number | null },
    ): Promise<SizedFolder> {
      const teamId = homeTeamId(actor, input.teamId, 'write');
      return inTransaction(async (session) => {
        await holdTeam(teamId, session);
        const place = { id: undefined, teamId, parentId: input.parentId };
        const problems = await parentProblems(actor, place, locker(session));
        if (problems.length > 0) throw new Unprocessable(problems);
        const id = await insertFolder({ ...input, teamId }, session);
        return sizedFolder(actor, id, session);
      });
    },

    /** @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, body: FolderChange): Promise<Problem[]> =>
      database.read(async (session) =>
        changeProblems(
          actor,
          { folder: await visibleFolder(actor, id, 'write', session), body },
          finder(session),
        ),
      ),

    /** @throws Unprocessable for another team or content type, and for a parent of another team, inside of the folder, or too deep. */
    update: (actor: Actor, id: number, body: FolderChange): Promise<SizedFolder> =>
      inTransaction(async (session) => {
        await visibleFolder(actor, id, 'write', session);
        const folder = await lockFolder(id, session);
        if (folder === undefined) throw new NotFound('Folder');
        const problems = await changeProblems(actor, { folder, body }, locker(session));
        if (problems.length > 0) throw new Unprocessable(problems);
        await updateFolder(id, { name: body.name, parentId: body.parent_folder_id }, session);
        return sizedFolder(actor, id, session);
      }),

    /** Deletes the folder; its stories and resources stay, in no folder, and its folders move to its parent. */
    delete: (actor: Actor, id: number): Promise<void> =>
      inTransaction(async (session) => {
        await visibleFolder(actor, id, 'write', session);
        const folder = await lockFolder(id, session);
        if (folder === undefined) throw new NotFound('Folder');
        await deleteFolder(folder, session);
      }),
  };
}

const finder = (session: Session) => (id: number) => findFolder(id, session);
const locker = (session: Session) => (id: number) => lockFolder(id, session);

async function changeProblems(
  actor: Actor,
  { folder, body }: { folder: Folder; body: FolderChange },
  find: ReturnType<typeof finder>,
): Promise<Problem[]> {
  const { id, teamId, contentType } = folder;
  const { team_id: team = teamId, content_type: type = contentType, parent_folder_id: parentId } = body;
  return [
    ...(team === teamId ? [] : [{ message: 'team_id of a folder cannot be changed', details: 'team_id' }]),
    ...(type === contentType
      ? []
      : [{ message: 'content_type of a folder cannot be changed', details: 'content_type' }]),
    ...(await parentProblems(actor, { id, teamId, parentId }, find)),
  ];
}

async function sizedFolder(actor: Actor, id: number, session: Session): Promise<SizedFolder> {
  const folder = await visibleFolder(actor, id, 'read', session);
  return { ...folder, size: (await countContents([folder], session)).get(id) ?? 0 };
}

async function sized(folders: Folder[], session: Session): Promise<SizedFolder[]> {
  const sizes = await countContents(folders, session);
  return folders.map((folder) => ({ ...folder, size: sizes.get(folder.id) ?? 0 }));
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

/** The place of a folder: its team, and the folder that is to hold it. */
interface FolderPlace {
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
async function parentProblems(
  actor: Actor,
  { id, teamId, parentId }: FolderPlace,
  find: (id: number) => ReturnType<typeof findFolder>,
): Promise<Problem[]> {
  if (parentId === undefined || parentId === null) return [];
  const seen: number[] = [];
  for (let next: number | null = parentId; next !== null; ) {
    if (next === id) return [parentProblem('is the folder itself or one of its subfolders')];
    if (seen.length === MOST_LEVELS - 1)
      return [parentProblem(`would be nested more than ${MOST_LEVELS} deep`)];
    const folder = await find(next);
    if (folder === undefined) throw new NotFound('Folder');
    requireTeam(actor, folder.teamId, 'read', 'Folder');
    if (teamId !== undefined && folder.teamId !== teamId) return [parentProblem('belongs to another team')];
    seen.push(next);
    next = folder.parentId;
  }
  return [];
}

function parentProblem(fault: string): Problem {
  return { message: `parent_folder_id ${fault}`, details: 'parent_folder_id' };
}
