import { type Request, type Response, Router } from 'express';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Authenticator } from '../auth/authenticator.js';
import { createBodyReader } from './json-body-reader.js';
import { parseQueryString } from './query-string.js';
import { refusalOf } from './refused-input.js';
import type { RouteLimits } from './rate-limit.js';
import { requestIdOf } from './request-id.js';
import { type AnyRoute, ListAnswer, RouteAnswer, type RequestFacts } from './route.js';
import { checkInput, fullAddress } from './route-input.js';
import { sendList } from './send-list.js';

export interface MountOptions<Services> {
  routes: readonly AnyRoute<Services>[];
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  bodyLimitBytes: number;
  publicUrl: string | undefined;
  /** Without it there are none. */
  limits?: RouteLimits;
  /** Without it writes leave no trace. */
  audit?: Pick<AuditTrail, 'record'>;
}

/** A router with every route: authenticate → limit → validate (check) → handle → audit → answer. Errors go to the error handler. */
export function mountRoutes<Services>(options: MountOptions<Services>): Router {
  const { authenticator, services, publicUrl, limits, audit } = options;
  const readBody = createBodyReader(options.bodyLimitBytes);
  const router = Router();
  for (const route of options.routes) {
    router[route.method](route.path, async (req: Request, res: Response) => {
      res.locals['route'] = route.path;
      const actor = await authenticator.authenticate(keyHeaders(req));
      res.locals['actor'] = actor;
      await limits?.check(route, actor, res);
      const { value: body, problems: refusedKeys } = await readBody(req, res);
      const query = parseQueryString(queryOf(req));
      const { problems, ...input } = checkInput(route, { params: req.params, query, body });
      const shape = [...refusedKeys, ...problems];
      if (shape.length > 0)
        throw await refusalOf(shape, () => route.check?.({ ...input, actor } as never, services));
      const originalUrl = fullAddress(route, req.originalUrl, { query, body });
      const request = { ...factsOf(req, res, publicUrl), originalUrl };
      const answer = await route.handle({ ...input, actor, request } as never, services);
      if (route.audit !== undefined) {
        const facts = auditedFacts(req, request);
        await audit?.record({ ...input, action: route.audit, actor, answer: bodyOf(answer), request: facts });
      }
      if (answer instanceof ListAnswer) await sendList(res, answer);
      else send(res, answer, route.status ?? 200);
    });
  }
  return router;
}

function keyHeaders(req: Request) {
  return { userToken: req.get('x-user-token'), authorization: req.get('authorization') };
}

function queryOf(req: Request): string {
  const start = req.originalUrl.indexOf('?');
  return start === -1 ? '' : req.originalUrl.slice(start + 1);
}

function factsOf(
  req: Request,
  res: Response,
  publicUrl: string | undefined,
): Pick<RequestFacts, 'id' | 'baseUrl'> {
  return { id: requestIdOf(res), baseUrl: publicUrl ?? `${req.protocol}://${req.host}` };
}

function auditedFacts(req: Request, { id }: Pick<RequestFacts, 'id'>) {
  return { id, method: req.method, path: req.path, ip: req.ip, userAgent: req.get('user-agent') };
}

function bodyOf(answer: unknown): unknown {
  return answer instanceof RouteAnswer ? answer.body : answer;
}

function send(res: Response, answer: unknown, defaultStatus: number): void {
  const { body, options } = answer instanceof RouteAnswer ? answer : new RouteAnswer(answer);
  const status = options.status ?? defaultStatus;
  res.status(status).set(options.headers ?? {});
  if (status === 204) res.end();
  else res.json(body);
}
