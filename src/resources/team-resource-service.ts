import { homeTeamId, requireTeam, visibleTeamIds } from '../auth/access.js';
import type { Actor } from '../auth/actor.js';
import type { Database } from '../db/database.js';
import { isDuplicateKey } from '../db/db-errors.js';
import type { Page, Window } from '../db/page-query.js';
import { retryLockConflicts } from '../db/retry-conflicts.js';
import type { Session } from '../db/session.js';
import { Conflict, NotFound, Unprocessable } from '../errors.js';
import type { JsonValue } from '../json.js';
import { slugOf } from '../stories/story-graph.js';
import { findFolderTeam } from '../stories/story-store.js';
import { requireSize } from './resource-service.js';
import {
  deleteResource,
  findResource,
  insertResource,
  listResources,
  type ResourceColumns,
  type ResourceRecord,
  updateResource,
} from './resource-store.js';

export interface NewResource {
  name: string;
  value: JsonValue;
  teamId?: number | undefined;
  folderId?: number | null | undefined;
  description?: string | null | undefined;
}

/** The new value is made of the current one, under its lock. */
export type ResourceChange = Omit<ResourceColumns, 'slug' | 'value'> & {
  value?: ((current: JsonValue) => JsonValue) | undefined;
};

export type TeamResourceService = ReturnType<typeof createTeamResourceService>;

/** Resources of teams, for who may see or change them (decisions §3). */
export function createTeamResourceService({
  database,
}: {
  database: Pick<Database, 'read' | 'transaction'>;
}) {
  return {
    async list(actor: Actor, teamId: number | undefined, window: Window): Promise<Page<ResourceRecord>> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      return database.read((session) => listResources(teamIds, window, session));
    },

    get: (actor: Actor, id: number): Promise<ResourceRecord> =>
      database.read((session) => visibleResource(actor, id, { need: 'read' }, session)),

    /** @throws Conflict when the team has a resource of this name. */
    async create(actor: Actor, resource: NewResource): Promise<ResourceRecord> {
      const { name, value, folderId = null, description = null } = resource;
      const teamId = homeTeamId(actor, resource.teamId, 'write');
      requireSize(value);
      return database.read(async (session) => {
        await checkFolder(actor, { folderId, teamId }, session);
        const row = { name, slug: slugOf(name), value, teamId, folderId, description };
        const id = await insertResource(row, session).catch(nameTaken);
        return visibleResource(actor, id, { need: 'write' }, session);
      });
    },

    /**
     * Changes what is given, atomically: of changes at the same time none is lost.
     * @throws Conflict when the team has another resource of this name.
     */
    update: (actor: Actor, id: number, change: ResourceChange): Promise<ResourceRecord> =>
      retryLockConflicts(() =>
        database.transaction((session) => applyChange(actor, { id, change }, session)),
      ),

    delete: (actor: Actor, id: number): Promise<void> =>
      database.read(async (session) => {
        await visibleResource(actor, id, { need: 'write' }, session);
        await deleteResource(id, session);
      }),
  };
}

async function visibleResource(
  actor: Actor,
  id: number,
  { need, lock = false }: { need: 'read' | 'write'; lock?: boolean },
  session: Session,
): Promise<ResourceRecord> {
  const resource = await findResource(id, session, lock);
  if (resource === undefined) throw new NotFound('Resource');
  requireTeam(actor, resource.teamId, need, 'Resource');
  return resource;
}

async function applyChange(
  actor: Actor,
  { id, change }: { id: number; change: ResourceChange },
  session: Session,
): Promise<ResourceRecord> {
  // Looked at first: nobody locks what is not theirs.
  await visibleResource(actor, id, { need: 'write' }, session);
  const before = await visibleResource(actor, id, { need: 'write', lock: true }, session);
  const { name, teamId = before.teamId } = change;
  if (teamId !== before.teamId) requireTeam(actor, teamId, 'write');
  const folderId = change.folderId ?? (teamId === before.teamId ? change.folderId : null);
  await checkFolder(actor, { folderId, teamId }, session);
  const value = change.value?.(before.value);
  if (value !== undefined) requireSize(value);
  const slug = name === undefined ? undefined : slugOf(name);
  await updateResource(id, { ...change, teamId, folderId, value, slug }, session).catch(nameTaken);
  return visibleResource(actor, id, { need: 'write' }, session);
}

async function checkFolder(
  actor: Actor,
  { folderId, teamId }: { folderId: number | null | undefined; teamId: number },
  session: Session,
): Promise<void> {
  if (folderId === null || folderId === undefined) return;
  const folderTeam = await findFolderTeam(folderId, session);
  if (folderTeam === undefined) throw new NotFound('Folder');
  requireTeam(actor, folderTeam, 'read', 'Folder');
  if (folderTeam === teamId) return;
  throw new Unprocessable([{ message: 'folder_id is a folder of another team', details: 'folder_id' }]);
}

function nameTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new Conflict([{ message: 'The team has a resource of this name already', details: 'name' }]);
}
