import type { Actor } from '../auth/actor.js';
import { TenantFrozen } from '../auth/tenant-frozen.js';
import { AppError, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { AuditedRequest, AuditLog } from './audited-write.js';
import type { GivenRequest } from '../request/checked-request.js';
import { attempt, firstProblems, mergedProblems } from '../../platform/validation/validate.js';
import { checkAnyRequest } from '../request/request-checker.js';
import {
  type AnyRoute,
  BareResponse,
  type FurtherProblems,
  type RequestFacts,
  RouteResponse,
} from '../route.js';

/** Routes reads to a replica, where that is allowed (docs/operate/database-readers.md). */
export interface ReadRouting<Services> {
  /** Carries out a read with the services of the one database or the other, and returns what it returns. */
  read(route: AnyRoute<Services>, actor: Actor, handle: (services: Services) => unknown): Promise<unknown>;
  /** Remembers that the actor has just written: its reads must show that. Never rejects. */
  wrote(actor: Actor): Promise<void>;
}

/** A request for a route whose sender is known and within its limits. */
export interface RouteCall {
  given: GivenRequest;
  actor: Actor;
  request: Omit<RequestFacts, 'originalUrl'>;
  /** Facts for the audit log. */
  sent: Omit<AuditedRequest, 'id'>;
}

/** The dependencies of carrying out a route. */
export interface CarryOutDeps<Services> {
  services: Services;
  /** Checks large bodies; absent: they are checked on the event loop. */
  threads?: Pick<ThreadPool, 'run'> | undefined;
  /** Absent: writes are not recorded. */
  audit?: AuditLog | undefined;
  /** Absent: reads go where writes go. */
  elsewhere?: ReadRouting<Services> | undefined;
}

/**
 * Validates a request (check), handles it and records a write in the audit log. Returns what the handler returned.
 * @throws TenantFrozen for a write; Unprocessable with every problem of the request, and whatever check and handler throw.
 */
export async function carryOut<Services>(
  route: AnyRoute<Services>,
  { given, actor, request, sent }: RouteCall,
  { services, threads, audit, elsewhere }: CarryOutDeps<Services>,
): Promise<unknown> {
  const { tenantId } = actor;
  if (actor.isFrozen === true && route.audit !== undefined) throw new TenantFrozen();
  const { problems, originalUrl, ...input } = await checkAnyRequest(route, given, { threads, tenantId });
  if (problems.length > 0)
    throw await refusalOf(problems, () => route.check?.({ ...input, actor } as never, services));
  const reach = route.auditReach?.(input.body as never);
  const write = { ...input, action: reach ?? route.audit ?? '', actor, request: { ...sent, id: request.id } };
  try {
    const handleWith = (chosen: Services) =>
      route.handle({ ...input, actor, request: { ...request, originalUrl } } as never, chosen);
    const targetId = await route.auditedId?.({ ...input, actor } as never, services);
    const before = route.audit === undefined ? undefined : await audit?.look?.({ ...write, targetId });
    const response = await handled(route, handleWith, { actor, services, elsewhere });
    if (route.audit !== undefined) {
      await audit?.record({ ...write, targetId, before, response: bodyOf(response) });
    }
    return response;
  } catch (error) {
    if (reach !== undefined) await audit?.record({ ...write, response: undefined, status: statusOf(error) });
    throw error;
  }
}

interface Places<Services> extends Pick<CarryOutDeps<Services>, 'services' | 'elsewhere'> {
  actor: Actor;
}

/** A write that fails may have stored something: it counts as a write too. */
async function handled<Services>(
  route: AnyRoute<Services>,
  handleWith: (services: Services) => unknown,
  { actor, services, elsewhere }: Places<Services>,
): Promise<unknown> {
  if (elsewhere === undefined) return handleWith(services);
  if (route.method === 'get') return elsewhere.read(route, actor, handleWith);
  try {
    return await handleWith(services);
  } finally {
    if (route.audit !== undefined) await elsewhere.wrote(actor);
  }
}

function statusOf(error: unknown): number {
  return error instanceof AppError ? error.status : 500;
}

/** @throws NotFound naming the endpoint if an id in the path has other characters than digits: `DELETE …/stories/batch`. */
export function requireIds(method: string, path: string, params: Readonly<Record<string, unknown>>): void {
  if (!hasIds(params)) throw new NotFound(`${method} ${path}`);
}

/** Returns false if an id of a path has other characters than digits. */
export function hasIds(params: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(params).every(
    ([name, value]) => !/(?:^|_)id$/.test(name) || /^\d+$/.test(String(value)),
  );
}

/** The part of a response that the audit log reads ids from. */
function bodyOf(response: unknown): unknown {
  if (response instanceof BareResponse) return undefined;
  return response instanceof RouteResponse ? response.body : response;
}

/**
 * Returns the error for a request with invalid shape: its problems, and those that the route's check finds.
 * @throws NotFound and Forbidden, as the check does.
 */
async function refusalOf(
  shape: Problem[],
  check: () => FurtherProblems | Promise<FurtherProblems>,
): Promise<Unprocessable> {
  const { value, problems } = await attempt(check);
  return new Unprocessable(firstProblems(mergedProblems(shape, value ?? problems)));
}
