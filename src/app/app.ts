import express, { type Express, type Request, type Router } from 'express';
import { type ConsolePlace, toConsole } from './to-console.js';
import { adminHost, createMcpRouter, type RunningCalls } from '../web/face.js';
import type { AuditTrail } from '../people/face.js';
import {
  type AnyRoute,
  type Authenticator,
  type CallMeter,
  createApiRouter,
  createDocsRouter,
  errorHandler,
  type Idempotency,
  type ReadRouting,
  requestLog,
  type RouteLimits,
} from '../api/face.js';
import type { RefusedCalls } from '../platform/http/limits/refused-calls.js';
import { createCasePage } from '../data/face.js';
import type { Config } from '../config/face.js';
import { NotFound } from '../platform/errors.js';
import { responseHeaders } from '../platform/http/server/response-headers.js';
import { createHealthRouter, type HealthDeps } from '../platform/http/server/health-router.js';
import { loggablePath } from '../platform/http/address/loggable-path.js';
import { requestId } from '../platform/http/server/request-id.js';
import { requireHost } from '../platform/http/address/require-host.js';
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
  audit: Pick<AuditTrail, 'record' | 'look'>;
  /** Same option as in `mountRoutes`. */
  elsewhere?: ReadRouting<Services> | undefined;
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
