import { canWrite } from '../auth/access.js';
import type { Actor } from '../auth/actor.js';
import { attempt } from '../../platform/validation/validate.js';
import type { AnyRoute } from '../route.js';
import { checkInput } from './route-input.js';

/** A request whose body has not been read. */
interface EarlyRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** It may have a body that is expensive to read. */
  isLong: boolean;
  actor: Actor;
}

/**
 * Checks the rights for the path's target before a long body is read: reading may be expensive, and the result does not
 * depend on the body. An actor without write access to any team is refused even if the body would name the team.
 * @throws NotFound and Forbidden as the route's check.
 */
export async function refuseEarly<Services>(
  route: AnyRoute<Services>,
  { params, query, isLong, actor }: EarlyRequest,
  services: Services,
): Promise<void> {
  if (route.check === undefined || !isLong) return;
  if (!route.path.includes(':') && mayWriteSomewhere(actor)) return;
  const { problems: _problems, ...input } = checkInput(route, { params, query, body: undefined });
  const body = route.prepare === undefined ? input.body : route.prepare(input.body);
  // Ignore the problems of the missing body: only the target is checked here.
  await attempt(() => route.check?.({ ...input, body, actor } as never, services));
}

function mayWriteSomewhere(actor: Actor): boolean {
  return actor.isOwner || [...actor.roles.keys()].some((teamId) => canWrite(actor, teamId));
}
