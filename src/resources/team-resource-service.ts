import {
  canWrite,
  defaultTeamId,
  homeTeamId,
  homeTeamProblems,
  requireTeam,
  visibleTeamIds,
} from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import { isDuplicateKey } from '../platform/mysql/db-errors.js';
import type { Page, Window } from '../platform/mysql/page-query.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { attempt } from '../platform/validation/validate.js';
import { slugOf } from '../platform/text/slug.js';
import { findFolderTeam } from '../stories/story-store.js';
import { holdTeam } from '../access/tenants/hold-team.js';
import { hideInText, hideSecrets } from '../platform/text/hidden-secrets.js';
import { isFaulty } from '../platform/validation/partial-input.js';
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
import { asType, type ValueType } from './resource-value.js';

/** `value` calculates the new value from the current one, under the row's lock. */
export type ResourceChange = Omit<ResourceColumns, 'slug' | 'value'> & {
  value?: ((current: JsonValue) => JsonValue) | undefined;
};

/** The parts of a body whose meaning is checked. */
export interface ResourceParts {
  team_id?: number | undefined;
  folder_id?: number | null | undefined;
  value?: JsonValue | undefined;
  value_type?: ValueType | 'json' | undefined;
}

/** A resource to create, as the body of the request names it. */
export interface NewResource extends ResourceParts {
  name: string;
  value: JsonValue;
  description?: string | null | undefined;
}

export type TeamResourceService = ReturnType<typeof createTeamResourceService>;

/** Resources of teams, with checks of what the actor may see and change (spec §3.8). */
export function createTeamResourceService({
  database,
}: {
  database: Pick<Database, 'read' | 'transaction'>;
}) {
  return {
    async list(actor: Actor, teamId: number | undefined, window: Window): Promise<Page<ResourceRecord>> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      const { items, total } = await database.read((session) => listResources(teamIds, window, session));
      return { items: items.map((resource) => shownResource(actor, resource)), total };
    },

    async get(actor: Actor, id: number): Promise<ResourceRecord> {
      const found = await database.read((session) => visibleResource(actor, id, { need: 'read' }, session));
      return shownResource(actor, found);
    },

    /** @throws Conflict if the team has a resource of this name. */
    async create(actor: Actor, body: NewResource): Promise<ResourceRecord> {
      const { name, folder_id: folderId = null, description = null } = body;
      const teamId = homeTeamId(actor, body.team_id, 'write');
      requireSize(body.value);
      const store = async (session: Session) => {
        const { value = body.value, problems } = await planParts(actor, { teamId, body }, session);
        refuse(problems);
        await holdTeam(teamId, session);
        const row = { name, slug: slugOf(name), value, teamId, folderId, description };
        const id = await insertResource(row, session).catch(nameTaken);
        return visibleResource(actor, id, { need: 'write' }, session);
      };
      return retryLockConflicts(() => database.transaction(store));
    },

    /** Returns the faults in the usable parts of a new resource. @throws NotFound and Forbidden as `create`. */
    async checkCreate(actor: Actor, body: ResourceParts): Promise<Problem[]> {
      const ofTeam = homeTeamProblems(actor, body, 'write');
      const teamId = body.team_id ?? defaultTeamId(actor);
      const plan = await database.read((session) => planParts(actor, { teamId, body }, session));
      return [...ofTeam, ...plan.problems];
    },

    /** Returns the faults in the usable parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, body: ResourceParts): Promise<Problem[]> =>
      database.read(async (session) => {
        const resource = await visibleResource(actor, id, { need: 'write' }, session);
        const { team_id: teamId = resource.teamId } = body;
        if (teamId !== resource.teamId) requireTeam(actor, teamId, 'write');
        return (await planParts(actor, { teamId, body }, session)).problems;
      }),

    /** Returns the faults of a change of the value. @throws NotFound and Forbidden as `update`. */
    checkValue: (
      actor: Actor,
      id: number,
      change: (current: JsonValue) => JsonValue | undefined,
    ): Promise<Problem[]> =>
      database.read(async (session) => {
        const resource = await visibleResource(actor, id, { need: 'write' }, session);
        return (await attempt(() => change(resource.value))).problems;
      }),

    /**
     * Changes the given fields atomically, so that no concurrent change is lost.
     * @throws Conflict if the team has another resource of this name.
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

/** Hides webhook addresses and prompt links, which stories store in resources, from actors who may only read (decision 0031). */
function shownResource(actor: Actor, resource: ResourceRecord): ResourceRecord {
  if (canWrite(actor, resource.teamId)) return resource;
  const { value, description } = resource;
  return {
    ...resource,
    value: hideSecrets(value),
    description: description === null ? null : hideInText(description),
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
  // Checked before locking, so that an actor cannot lock a resource without permission.
  await visibleResource(actor, id, { need: 'write' }, session);
  const before = await visibleResource(actor, id, { need: 'write', lock: true }, session);
  const { name, teamId = before.teamId } = change;
  if (teamId !== before.teamId) {
    requireTeam(actor, teamId, 'write');
    await holdTeam(teamId, session);
  }
  const folderId = change.folderId ?? (teamId === before.teamId ? change.folderId : null);
  const { value, problems } = await attempt(() => change.value?.(before.value));
  refuse([...problems, ...(await folderProblems(actor, { folderId, teamId }, session))]);
  if (value !== undefined) requireSize(value);
  const slug = name === undefined ? undefined : slugOf(name);
  await updateResource(id, { ...change, teamId, folderId, value, slug }, session).catch(nameTaken);
  return visibleResource(actor, id, { need: 'write' }, session);
}

/** Returns the converted value, and the faults of value and folder; without a valid team, any folder is accepted. */
async function planParts(
  actor: Actor,
  { teamId, body }: { teamId: number | undefined; body: ResourceParts },
  session: Session,
): Promise<{ value: JsonValue | undefined; problems: Problem[] }> {
  const { value: given, value_type: type, folder_id: folderId } = body;
  const { value, problems } = await attempt(() => (given === undefined ? undefined : asType(given, type)));
  const home = isFaulty(body, 'team_id') ? undefined : teamId;
  const ofFolder = await folderProblems(actor, { folderId, teamId: home }, session);
  return { value, problems: [...problems, ...ofFolder] };
}

/** @throws NotFound for a folder that the actor may not see. */
async function folderProblems(
  actor: Actor,
  { folderId, teamId }: { folderId: number | null | undefined; teamId: number | undefined },
  session: Session,
): Promise<Problem[]> {
  if (folderId === null || folderId === undefined) return [];
  const folderTeam = await findFolderTeam(folderId, session);
  if (folderTeam === undefined) throw new NotFound('Folder');
  requireTeam(actor, folderTeam, 'read', 'Folder');
  if (teamId === undefined || folderTeam === teamId) return [];
  return [{ message: 'folder_id is a folder of another team', details: 'folder_id' }];
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new Unprocessable(problems);
}

function nameTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new Conflict([{ message: 'The team has a resource of this name already', details: 'name' }]);
}
