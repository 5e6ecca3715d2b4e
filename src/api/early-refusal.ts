import type { Request } from 'express';
import { canWrite } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import { attempt } from '../platform/validation/validate.js';
import { hasLongBody } from '../platform/http/read-request-body.js';
import type { AnyRoute } from './route.js';
import { checkInput } from './route-input.js';

interface EarlyRequest {
  req: Request;
  query: Record<string, unknown>;
  actor: Actor;
}

/**
 * Looks, before a long body is read, whether the caller may do at all what the path says: a body may cost much, and the answer does not
 * depend on it. Somebody who may write nowhere is refused also where the body would say which team.
 * @throws NotFound and Forbidden as the route's check.
 */
export async function refuseEarly<Services>(
  route: AnyRoute<Services>,
  { req, query, actor }: EarlyRequest,
  services: Services,
): Promise<void> {
  if (route.check === undefined || !hasLongBody(req)) return;
  if (!route.path.includes(':') && mayWriteSomewhere(actor)) return;
  const { problems: _problems, ...input } = checkInput(route, {
    params: { ...req.params },
    query,
    body: undefined,
  });
  const body = route.prepare === undefined ? input.body : route.prepare(input.body);
  // What is missing is not wrong: only the target is asked about.
  await attempt(() => route.check?.({ ...input, body, actor } as never, services));
}

function mayWriteSomewhere(actor: Actor): boolean {
  return actor.isOwner || [...actor.roles.keys()].some((teamId) => canWrite(actor, teamId));
}
