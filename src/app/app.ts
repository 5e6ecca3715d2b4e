import express, { type Express, type Request, type Router } from 'express';
import { createApiRouter } from './api-router.js';
import { type ConsolePlace, toConsole } from './to-console.js';
import { adminHost } from '../admin/admin-host.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import type { Authenticator } from '../access/auth/authenticator.js';
import type { RefusedCalls } from '../platform/http/refused-calls.js';
import { createCasePage } from '../cases/case-page.js';
import type { Config } from '../config/config.js';
import { NotFound } from '../platform/errors.js';
import { responseHeaders } from '../platform/http/response-headers.js';
import { errorHandler } from '../api/error-handler.js';
import { createHealthRouter, type HealthDeps } from '../platform/http/health.js';
import { createDocsRouter } from '../api/openapi/docs-router.js';
import { loggablePath } from '../platform/http/loggable-path.js';
import { createMcpRouter } from '../api/mcp/mcp-router.js';
import type { RunningCalls } from '../api/mcp/running-calls.js';
import type { CallMeter } from '../api/mount-routes.js';
import type { Idempotency } from '../api/idempotency/idempotency.js';
import type { ReadElsewhere } from '../api/read-elsewhere.js';
import type { RouteLimits } from '../api/rate-limit.js';
import { requestId } from '../platform/http/request-id.js';
import { requestLog } from '../api/request-log.js';
import { requireHost } from '../platform/http/require-host.js';
import type { AnyRoute } from '../api/route.js';
import type { Logger } from '../platform/logger.js';
import { productVersion } from '../platform/outbound/product-version.js';
import type { ThreadPool } from '../platform/threads/thread-pool.js';

export interface AppDeps<Services> {
  config: Pick<Config, 'bodyLimitBytes' | 'publicUrl' | 'adminOrigin' | 'trustedProxies'> & ConsolePlace;
  logger: Logger;
  routes: readonly AnyRoute<Services>[];
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  limits: RouteLimits;
  /** Same option as in `mountRoutes`. */
  threads?: Pick<ThreadPool, 'run'>;
  audit: Pick<AuditTrail, 'record'>;
  /** Same option as in `mountRoutes`. */
  elsewhere?: ReadElsewhere<Services> | undefined;
  /** The calls of tools that run. */
  toolCalls: RunningCalls;
  /** Same option as in `mountRoutes`. */
  idempotency?: Pick<Idempotency, 'run'> | undefined;
  /** Same option as in `mountRoutes`. */
  keyHoldsMs?: number;
  /** Counts calls of the API; absent: they are not counted. */
  meter?: CallMeter | undefined;
  /** Counts refused requests by address; absent: not counted. */
  refused?: RefusedCalls;
  /** Served only under the host name of `adminOrigin` (decision 0028). */
  adminRouter?: Router | undefined;
  health: Omit<HealthDeps, 'logger'>;
  /** Reads raw bodies; mounted at `/webhook`. */
  webhookRouter: Router;
  /** Mounted at `/prompts`. */
  promptRouter: Router;
  /** Mounted at `/oauth`. */
  oauthRouter: Router;
}

/** Creates the web application. This function has only the order of its parts. */
export function createApp<Services>(deps: AppDeps<Services>): Express {
  const { config, logger } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', config.trustedProxies.length > 0 ? config.trustedProxies : false);

  app.use(requestId, requestLog(logger), responseHeaders, requireHost);
  if (config.adminOrigin !== undefined) app.use(adminHost(config.adminOrigin, deps.adminRouter));
  app.use('/webhook', deps.webhookRouter);
  app.use('/prompts', deps.promptRouter);
  app.use('/oauth', deps.oauthRouter);
  app.use('/cases', createCasePage(config));
  app.use(createHealthRouter({ ...deps.health, logger }));
  const facts = { version: productVersion(), publicUrl: config.publicUrl };
  app.use(createDocsRouter(deps.routes, facts, deps.threads));
  const api = {
    routes: deps.routes,
    services: deps.services,
    authenticator: deps.authenticator,
    bodyLimitBytes: config.bodyLimitBytes,
    publicUrl: config.publicUrl,
    threads: deps.threads,
    limits: deps.limits,
    audit: deps.audit,
    elsewhere: deps.elsewhere,
  };
  app.use(createMcpRouter({ ...api, calls: deps.toolCalls, version: productVersion(), logger }));
  app.use(
    createApiRouter({
      ...api,
      idempotency: deps.idempotency,
      keyHoldsMs: deps.keyHoldsMs,
      meter: deps.meter,
    }),
  );
  app.get('/', toConsole(config));
  app.use((req: Request) => {
    throw new NotFound(`${req.method} ${toldPath(req.path)}`);
  });
  app.use(errorHandler(logger, deps.refused));
  return app;
}

/** Returns the path for the error message. An address that looks like a webhook or a prompt is cut as in the log. */
function toldPath(path: string): string {
  return /webhook|prompts|%/i.test(path) ? loggablePath(path) : path;
}
