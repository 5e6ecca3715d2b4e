import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Actor } from '../auth/actor.js';
import type { Authenticator } from '../auth/authenticator.js';
import { Unauthorized } from '../../platform/errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { AuditLog } from './audited-write.js';
import { carryOut, hasIds, type ReadRouting } from './carry-out.js';
import { refuseConditions } from '../request/conditions.js';
import { refuseEarly } from '../request/early-refusal.js';
import { EventStream, sendEventStream } from '../response/event-stream.js';
import { pathAsSent } from './other-paths.js';
import { type Idempotency, IDEMPOTENCY_KEY, takesKey } from '../idempotency/idempotency.js';
import { identifyByKey, type Identify } from '../request/identify.js';
import { leftSignal } from '../../platform/http/server/left-signal.js';
import { ownBaseUrl } from '../../platform/http/address/own-base-url.js';
import { loggablePath } from '../../platform/http/address/loggable-path.js';
import { parseQueryString } from '../../platform/http/address/query-string.js';
import { hasLongBody, readRequestBody } from '../../platform/http/body/read-request-body.js';
import type { RouteLimits } from '../request/route-limits.js';
import { requestIdOf } from '../../platform/http/server/request-id.js';
import { renderApiResponse, sendRendered } from '../response/rendered-response.js';
import { type AnyRoute, ListResponse, type RequestFacts } from '../route.js';
import { sendList } from '../response/send-list.js';

/** After a slower body the key is checked again, so that a revocation takes effect within five seconds. */
const KEY_HOLDS_MS = 3_000;

export interface MountOptions<Services> {
  routes: readonly AnyRoute<Services>[];
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** Absent: a request is identified by its API key. */
  identify?: Identify | undefined;
  bodyLimitBytes: number;
  publicUrl: string | undefined;
  /** The port of webhooks, if these routes are served on another one. */
  webhookPort?: number | undefined;
  /** Checks large bodies; absent: they are checked on the event loop. */
  threads?: Pick<ThreadPool, 'run'> | undefined;
  /** Absent: no limits. */
  limits?: RouteLimits;
  /** Absent: writes are not recorded. */
  audit?: AuditLog;
  /** Absent: reads go where writes go. */
  elsewhere?: ReadRouting<Services> | undefined;
  /** Does a write once that is sent again with the same key; absent: keys have no effect. */
  idempotency?: Pick<Idempotency, 'run'> | undefined;
  /** Time for which the actor of a key stays valid while the body is read. */
  keyHoldsMs?: number | undefined;
  /** Counts calls; absent: they are not counted. */
  meter?: CallMeter | undefined;
}

/** Counts calls of the API. */
export interface CallMeter {
  /** A call has its response, or was left by its client before that. */
  ended(route: { method: string; path: string }, end: CallEnd): void;
}

/** The end of one call. */
export interface CallEnd {
  status: number;
  /** The client left before it had the whole response. */
  aborted: boolean;
  tookMs: number;
}

/**
 * Creates a router with every route: authenticate → limit → refuse conditions → (for a long body: check the path's target) → read body
 * (authenticate again after a slow body) → validate (check) → handle → audit → respond. The error handler gets errors.
 */
export function mountRoutes<Services>(options: MountOptions<Services>): Router {
  const {
    services,
    threads,
    limits,
    audit,
    meter,
    elsewhere,
    idempotency,
    identify = identifyByKey(options.authenticator),
    keyHoldsMs = KEY_HOLDS_MS,
  } = options;
  const authenticate = async (req: Request, res: Response): Promise<Actor> => {
    const actor = await identify(req);
    res.locals['actor'] = actor;
    return actor;
  };
  const router = Router();
  for (const route of options.routes) {
    router[route.method](route.path, async (req: Request, res: Response, next: NextFunction) => {
      // An id that is none: another route may serve the path with other methods.
      if (!hasIds(req.params)) return next();
      res.locals['route'] = route.path;
      const askedAt = performance.now();
      if (meter !== undefined) res.once('close', () => meter.ended(route, endOf(res, askedAt)));
      const sender = await authenticate(req, res);
      await limits?.check(route, sender, res);
      refuseConditions(route, req);
      const query = parseQueryString(queryOf(req));
      const early = { params: { ...req.params }, query, isLong: hasLongBody(req), actor: sender };
      await refuseEarly(route, early, services);
      const body = await readRequestBody(req, options.bodyLimitBytes);
      const isFresh = performance.now() - askedAt < keyHoldsMs;
      const actor = isFresh ? sender : await authenticate(req, res);
      const given = { params: { ...req.params }, query, body, originalUrl: req.originalUrl };
      const request = factsOf(req, res, options);
      const call = { given, actor, request, sent: sentFacts(req, res, route.path) };
      const work = () => carryOut(route, call, { services, threads, audit, elsewhere });
      const status = route.status ?? 200;
      const key = takesKey(route) ? req.get(IDEMPOTENCY_KEY) : undefined;
      if (key !== undefined && idempotency !== undefined) {
        const keyed = { key, actor, method: req.method, address: req.originalUrl, body };
        const response = await idempotency.run(keyed, async () => renderApiResponse(await work(), status));
        return sendRendered(res, response);
      }
      const result = await work();
      const stillAllowed = async () => requireSameRights(actor, await authenticate(req, res));
      if (result instanceof EventStream) {
        sendEventStream(req, res, { stream: result, stillAllowed });
      } else if (result instanceof ListResponse) {
        await sendList(res, result, { stillAllowed, holdsMs: keyHoldsMs });
      } else sendRendered(res, await renderApiResponse(result, status));
    });
  }
  return router;
}

function endOf(res: Response, askedAt: number): CallEnd {
  return { status: res.statusCode, aborted: !res.writableFinished, tookMs: performance.now() - askedAt };
}

/** @throws Unauthorized if the rights have changed: the rest of the list was selected for the earlier rights. */
function requireSameRights(before: Actor, now: Actor): void {
  if (rightsOf(before) !== rightsOf(now)) throw new Unauthorized();
}

function rightsOf({ isOwner, roles }: Actor): string {
  return JSON.stringify([isOwner, [...roles]]);
}

function queryOf(req: Request): string {
  const start = req.originalUrl.indexOf('?');
  return start === -1 ? '' : req.originalUrl.slice(start + 1);
}

function factsOf(
  req: Request,
  res: Response,
  { publicUrl, webhookPort }: Pick<MountOptions<never>, 'publicUrl' | 'webhookPort'>,
): Pick<RequestFacts, 'id' | 'baseUrl' | 'ifMatch' | 'userAgent' | 'address' | 'lastEventId' | 'left'> {
  return {
    address: req.ip,
    left: () => leftSignal(res),
    id: requestIdOf(res),
    ifMatch: req.get('if-match'),
    userAgent: req.get('user-agent'),
    lastEventId: req.get('last-event-id'),
    baseUrl: publicUrl ?? ownBaseUrl(req, webhookPort),
  };
}

function sentFacts(req: Request, res: Response, route: string) {
  return {
    method: req.method,
    path: pathAsSent(res, loggablePath(req.path, route)),
    ip: req.ip,
    userAgent: req.get('user-agent'),
  };
}
