import { type Actor, requireShared, requireTeam } from '../../api/face.js';
import { holdTeam, replaceShares } from '../../people/face.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { slugOf } from '../../platform/text/slug.js';
import type { PartChange } from './resource-parts.js';
import { planParts, type ResourceBody, sharingOf } from './resource-plan.js';
import { findResource, lockResource, type ResourceRecord, updateResource } from './resource-store.js';
import { refused, requireSize } from './resource-value.js';

/** Returns the resource. @throws NotFound and Forbidden for actors without this right. */
export async function visibleResource(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<ResourceRecord> {
  const resource = await findResource(id, session);
  if (resource === undefined) throw new NotFound('Resource');
  const sharedTeamIds = resource.sharedTeams.map((team) => team.id);
  requireShared(actor, { ...resource, sharedTeamIds }, need, 'Resource');
  return resource;
}

/** Checks the right first, so that an actor cannot lock a resource without permission. */
async function lockedResource(actor: Actor, id: number, session: Session): Promise<ResourceRecord> {
  await visibleResource(actor, id, 'write', session);
  await lockResource(id, session);
  return visibleResource(actor, id, 'write', session);
}

/** Changes the fields that the body names, under the resource's lock. Call it in a transaction. */
export async function updateFields(
  actor: Actor,
  { id, body }: { id: number; body: ResourceBody },
  session: Session,
): Promise<ResourceRecord> {
  const before = await lockedResource(actor, id, session);
  const { name, team_id: teamId = before.teamId, is_test: isTest = false } = body;
  if (teamId !== before.teamId) {
    requireTeam(actor, teamId, 'write');
    await holdTeam(teamId, session);
  }
  const folderId = body.folder_id ?? (teamId === before.teamId ? body.folder_id : null);
  const parts = { ...body, folder_id: folderId };
  const plan = await planParts(actor, { teamId, body: parts, before: sharingOf(before) }, session);
  refuseResource(plan.problems);
  const { value, sharing } = plan;
  if (value !== undefined) requireSize(value);
  const columns = {
    ...(name !== undefined && name !== before.name && { name, slug: slugOf(name) }),
    teamId,
    folderId,
    description: body.description,
    readAccess: sharing?.readAccess,
    testEnabled: body.test_resource_enabled ?? (isTest && value !== undefined ? true : undefined),
    ...(isTest ? { testValue: value } : { value }),
  };
  await updateResource(id, columns, session).catch(nameTaken);
  if (sharing !== undefined) await replaceShares('resource', id, sharing.teamIds, session);
  return visibleResource(actor, id, 'write', session);
}

/** The value to change a part of. @throws Unprocessable if the resource has no test value. */
export function valueOf(resource: ResourceRecord, isTest: boolean): JsonValue {
  if (!isTest) return resource.value;
  if (resource.test !== undefined) return resource.test.value;
  throw refused('"is_test" needs a resource with a test value', 'is_test');
}

/** Changes a part of one of its values, under the resource's lock, and returns the response. Call it in a transaction. */
export async function updatePart(
  actor: Actor,
  { id, isTest, change }: { id: number; isTest: boolean; change: (current: JsonValue) => PartChange },
  session: Session,
): Promise<JsonValue> {
  const before = await lockedResource(actor, id, session);
  const { value, response } = change(valueOf(before, isTest));
  requireSize(value);
  await updateResource(id, isTest ? { testValue: value } : { value }, session);
  return response;
}

/** @throws Unprocessable with the problems, if there are any. */
export function refuseResource(problems: Problem[]): void {
  if (problems.length > 0) throw new Unprocessable(problems);
}

/** Turns the database's error into that of the API. @throws Conflict if the team has a resource of this name. */
export function nameTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new Conflict([{ message: 'The team already has a resource with this name', details: 'name' }]);
}
