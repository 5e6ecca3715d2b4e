import {
  type Actor,
  canWrite,
  defaultTeamId,
  homeTeamId,
  homeTeamProblems,
  requireTeam,
} from '../../api/face.js';
import { holdTeam, NO_VALUE_CHANGES, replaceShares, type ValueChanges } from '../../people/face.js';
import { type Problem, Unprocessable } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { hideInText, hideSecrets } from '../../platform/secrets/hidden-secrets.js';
import { slugOf } from '../../platform/text/slug.js';
import { attempt } from '../../platform/validation/validate.js';
import type { FindMentions } from '../find-mentions.js';
import type { PartChange } from './resource-parts.js';
import {
  type NewResource,
  NOT_SHARED,
  planParts,
  type ResourceBody,
  type ResourceParts,
  sharingOf,
} from './resource-plan.js';
import {
  deleteResource,
  insertResource,
  listResourceNames,
  listResources,
  type ResourceFilter,
  type ResourceRecord,
} from './resource-store.js';
import {
  nameTaken,
  refuseResource,
  updateFields,
  updatePart,
  valueOf,
  visibleResource,
} from './resource-update.js';
import { requireSize } from './resource-value.js';

const MOST_RESOURCES = 10_000;

/** A change of a part of a value. */
export interface PartRequest {
  isTest: boolean;
  change(current: JsonValue): PartChange;
}

export type TeamResourceService = ReturnType<typeof createTeamResourceService>;

/** Resources of teams, with checks of what the actor may see and change (spec §3.8). */
export function createTeamResourceService({
  database,
  findMentions,
  valueChanges = NO_VALUE_CHANGES,
}: {
  database: Pick<Database, 'read' | 'transaction'>;
  findMentions: FindMentions;
  valueChanges?: ValueChanges;
}) {
  const changing = async <Result>(
    { tenantId }: Actor,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> => {
    const result = await retryLockConflicts(() => database.transaction(work));
    await valueChanges.announce(tenantId);
    return result;
  };
  return {
    /** Returns a page of resources; `isUnused`: those that no action names. */
    async list(
      actor: Actor,
      { isUnused, ...asked }: ResourceFilter & { isUnused: boolean },
      window: Window,
    ): Promise<Page<ResourceRecord>> {
      if (asked.teamId !== undefined) requireTeam(actor, asked.teamId, 'read');
      const exceptIds = isUnused ? await usedResourceIds(actor, asked, { database, findMentions }) : [];
      const filter = { ...asked, exceptIds };
      const page = await database.read((session) => listResources(actor, filter, window, session));
      return { items: page.items.map((resource) => shownResource(actor, resource)), total: page.total };
    },

    get: (actor: Actor, id: number): Promise<ResourceRecord> =>
      database.read(async (session) =>
        shownResource(actor, await visibleResource(actor, id, 'read', session)),
      ),

    /** Returns a function that gives the ids of the actions that name one of these resources. */
    mentions: (actor: Actor, resources: readonly ResourceRecord[]) => findMentions(actor, resources),

    /**
     * Creates the resource, or sets the test value of `live_resource_id`, and returns that resource.
     * @throws Conflict if the team has a resource of this name.
     */
    create(actor: Actor, body: NewResource): Promise<ResourceRecord> {
      const { live_resource_id: liveId, value, value_type } = body;
      if (liveId !== undefined) return this.update(actor, liveId, { is_test: true, value, value_type });
      requireSize(body.value);
      return changing(actor, (session) => insert(actor, body, session));
    },

    /** Returns the faults in the usable parts of a new resource. @throws NotFound and Forbidden as `create`. */
    async checkCreate(
      actor: Actor,
      body: ResourceParts & Pick<NewResource, 'live_resource_id'>,
    ): Promise<Problem[]> {
      if (body.live_resource_id !== undefined) {
        const { value, value_type } = body;
        return this.checkUpdate(actor, body.live_resource_id, { value, value_type });
      }
      const ofTeam = homeTeamProblems(actor, body, 'write');
      const teamId = body.team_id ?? defaultTeamId(actor);
      const plan = await database.read((session) =>
        planParts(actor, { teamId, body, before: NOT_SHARED }, session),
      );
      return [...ofTeam, ...plan.problems];
    },

    /** Returns the faults in the usable parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, body: ResourceParts): Promise<Problem[]> =>
      database.read(async (session) => {
        const resource = await visibleResource(actor, id, 'write', session);
        const { team_id: teamId = resource.teamId } = body;
        if (teamId !== resource.teamId) requireTeam(actor, teamId, 'write');
        return (await planParts(actor, { teamId, body, before: sharingOf(resource) }, session)).problems;
      }),

    /** Returns the faults of a change of a part; `change` is undefined if the request does not say enough. */
    checkPart: (actor: Actor, id: number, part: Partial<PartRequest>): Promise<Problem[]> =>
      database.read(async (session) => {
        const resource = await visibleResource(actor, id, 'write', session);
        return (await attempt(() => part.change?.(valueOf(resource, part.isTest ?? false)))).problems;
      }),

    /**
     * Changes the given fields atomically, so that no concurrent change is lost.
     * @throws Conflict if the team has another resource of this name.
     */
    update: (actor: Actor, id: number, body: ResourceBody): Promise<ResourceRecord> =>
      changing(actor, (session) => updateFields(actor, { id, body }, session)),

    /** Changes a part of a value atomically, and returns the response. */
    changePart: (actor: Actor, id: number, part: PartRequest): Promise<JsonValue> =>
      changing(actor, (session) => updatePart(actor, { id, ...part }, session)),

    delete: (actor: Actor, id: number): Promise<void> =>
      changing(actor, async (session) => {
        await visibleResource(actor, id, 'write', session);
        await deleteResource(id, session);
      }),
  };
}

async function insert(actor: Actor, body: NewResource, session: Session): Promise<ResourceRecord> {
  const { name, folder_id: folderId = null, description = null } = body;
  const teamId = homeTeamId(actor, body.team_id, 'write');
  const { value, sharing, problems } = await planParts(actor, { teamId, body, before: NOT_SHARED }, session);
  refuseResource(problems);
  await holdTeam(teamId, session);
  const { readAccess, teamIds } = sharing ?? NOT_SHARED;
  const row = {
    name,
    slug: slugOf(name),
    value,
    teamId,
    folderId,
    description,
    readAccess,
    userId: actor.userId,
    testEnabled: body.test_resource_enabled,
  };
  const id = await insertResource(row, session).catch(nameTaken);
  await replaceShares('resource', id, teamIds, session);
  return visibleResource(actor, id, 'write', session);
}

/** Hides webhook addresses and prompt links, which stories store in resources, from actors who may only read (decision 0031). */
function shownResource(actor: Actor, resource: ResourceRecord): ResourceRecord {
  if (canWrite(actor, resource.teamId)) return resource;
  const { value, description, test } = resource;
  return {
    ...resource,
    value: hideSecrets(value),
    test: test && { ...test, value: hideSecrets(test.value) },
    description: description === null ? null : hideInText(description),
  };
}

/** Returns the ids of the resources that an action of a team that the actor may see names. */
async function usedResourceIds(
  actor: Actor,
  filter: ResourceFilter,
  { database, findMentions }: { database: Pick<Database, 'read'>; findMentions: FindMentions },
): Promise<number[]> {
  const all = await database.read((session) => listResourceNames(actor, filter, MOST_RESOURCES + 1, session));
  if (all.length > MOST_RESOURCES) {
    throw new Unprocessable(
      `More than ${MOST_RESOURCES} resources would have to be searched: specify a team`,
    );
  }
  const mentioned = await findMentions(actor, all);
  return all.filter((resource) => mentioned(resource).length > 0).map(({ id }) => id);
}
