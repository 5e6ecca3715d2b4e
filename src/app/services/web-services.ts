import type { Express } from 'express';
import {
  createAdminApp,
  createAdminRouter,
  createCallLog,
  createPromptRouter,
  createSharedCalls,
  createOwnCalls,
  type SignIn,
  type WebhookPreload,
} from '../../web/face.js';
import type { AppDeps } from '../app.js';
import { createAuditTrail, followValueChanges } from '../../people/face.js';
import {
  auditLiveEvent,
  createActorStore,
  createAuthenticator,
  createIdempotency,
  createRouteLimits,
} from '../../api/face.js';
import { createRefusedCalls } from '../../platform/http/limits/refused-calls.js';
import { clientOptions, type Config } from '../../config/face.js';
import { createOauthRouter } from '../../data/face.js';
import { createHttpClient } from '../../platform/outbound/http-client.js';
import { requireSchema } from '../../platform/mysql/schema/migrate.js';
import type { HealthChecks } from '../../platform/http/server/health-router.js';
import { responseSeal } from '../response-seal.js';
import { createRateCounter } from '../../platform/http/limits/rate-counter.js';
import { openReadRouting } from '../reader/open-read-routing.js';
import { createRouteServices } from './route-services.js';
import { createPeople } from './create-people.js';
import { type RouteServices, ROUTES } from '../routes.js';
import type { Logger } from '../../platform/logger.js';
import { pingRedis } from '../../platform/redis/masters.js';
import { createRedis } from '../../platform/redis/redis.js';
import { createStreamService } from '../../observe/face.js';
import { createTrialServices } from './trial-services.js';
import { type CoreServices, createCoreServices } from './core-services.js';
import { followStoryChanges } from '../../stories/face.js';
import { createWebhookServices } from './webhook-services.js';

/** Services and dependencies of a web process. */
export interface WebServices {
  core: CoreServices;
  app: Omit<AppDeps<RouteServices>, 'routes'>;
  /** The people's origin on its own port; undefined without `ADMIN_PORT`. */
  admin: Express | undefined;
  /** Webhooks in memory, for times when MySQL is unreachable. */
  preload: Pick<WebhookPreload, 'find'>;
  /** Ends all streams of events, and begins no more; clients connect to another process. */
  endStreams(): Promise<void>;
  /** Responds at once to requests that wait for a run; the runs continue. */
  endWaits(): Promise<void>;
  /** Call it after the HTTP server has closed. */
  close(): Promise<void>;
}

/** Creates the services of a web process: its composition root. */
export function createWebServices(
  config: Config,
  logger: Logger,
  process: { isShuttingDown(): boolean },
): WebServices {
  const core = createCoreServices(config, logger);
  const { loggers } = core;
  const trials = createTrialServices(core);
  const { database, redis, metrics } = core;
  const counter = createRateCounter({ redis, prefix: config.queuePrefix, logger: loggers.access });
  const refused = createRefusedCalls({ perMinute: config.refusedCallsPerMinute });
  const audit = createAuditTrail({
    database,
    logger: loggers.access,
    onStored: (tenantId) => core.liveEvents.add(auditLiveEvent(tenantId)),
  });
  const subscriber = createRedis(config, 'subscriber', loggers.stores);
  const log = createCallLog({ redis, prefix: config.queuePrefix });
  const webhooks = createWebhookServices(core, { counter, refused, subscriber, log });
  const changes = followStoryChanges({
    redis: subscriber,
    prefix: config.queuePrefix,
    graphs: {
      invalidate(storyId) {
        core.graphs.invalidate(storyId);
        core.values.forgetStories();
        webhooks.preload.look(storyId);
      },
    },
    logger: loggers.stores,
  });
  const valueChanges = followValueChanges({
    redis: subscriber,
    prefix: config.queuePrefix,
    caches: [core.values, trials],
    logger: loggers.stores,
  });
  const toolCalls = createSharedCalls({
    redis,
    subscriber,
    prefix: config.queuePrefix,
    logger: loggers.requests,
  });
  const plainHttp = createHttpClient(clientOptions(config));
  const http = metrics?.client(plainHttp) ?? plainHttp;
  const stream = createStreamService({
    database,
    stream: core.liveStream,
    limits: { max: config.streamConnections, maxPerUser: config.streamConnectionsPerUser },
    logger: loggers.stores,
  });
  const ownCalls = createOwnCalls();
  const shared = { http, log, stream, trials, ownCalls };
  const createServices = (place: CoreServices) => createRouteServices(place, shared);
  const services = createServices(core);
  const reading = openReadRouting(core, { services, createServices });
  const authenticator = createAuthenticator({
    actors: createActorStore(database),
    logger: loggers.access,
    refused,
  });
  const api = {
    services,
    authenticator,
    limits: createRouteLimits({ counter, config }),
    audit,
    elsewhere: reading?.elsewhere,
    idempotency: createIdempotency({
      database,
      counter,
      seal: responseSeal(core.credentials),
      logger: loggers.requests,
    }),
    threads: core.threads,
    meter: metrics?.calls,
  };
  const { bodyLimitBytes, publicUrl } = config;
  const people = createPeople(core, { ...api, api: { ...api, routes: ROUTES, bodyLimitBytes, publicUrl } });
  const adminDeps = {
    config,
    logger: loggers.access,
    queues: core.queues,
    audit,
    redis,
    database,
    people: people.origin,
    refused,
    onSignIn: (outcome: SignIn) => metrics?.signedIn(outcome),
  };
  const adminRouter = createAdminRouter(adminDeps);
  return {
    core,
    preload: webhooks.preload,
    admin: config.adminPort === undefined ? undefined : createAdminApp(adminRouter, adminDeps),
    app: {
      config,
      logger: loggers.requests,
      ...api,
      toolCalls,
      adminRouter,
      health: {
        checks: healthChecks(core, webhooks.preload),
        warnings: async () => [await core.spoolTrouble()].filter((trouble) => trouble !== undefined),
        isShuttingDown: () => process.isShuttingDown(),
      },
      oauthRouter: createOauthRouter({ connect: services.oauthConnect, refused, logger: loggers.requests }),
      promptRouter: createPromptRouter({
        clicks: core.promptClicks,
        config,
        logger: loggers.requests,
        refused,
      }),
      refused,
      webhookRouter: ownCalls.serving(webhooks.router),
    },
    endStreams: () => stream.close(),
    endWaits: () => webhooks.endWaits(),
    async close() {
      await Promise.all([
        webhooks.close(),
        changes.close(),
        valueChanges.close(),
        toolCalls.close(),
        stream.close(),
      ]);
      subscriber.disconnect();
      await people.close();
      await http.close();
      await audit.drain();
      await trials.close();
      await reading?.close();
      await core.close();
    },
  };
}

function healthChecks({ database, redis }: CoreServices, preload: WebhookPreload): HealthChecks {
  return {
    database: () => database.ping(),
    redis: () => pingRedis(redis),
    schema: () => requireSchema(database.knex),
    webhooks: async () => {
      if (!preload.isLoaded()) throw new Error('webhooks are still loading');
    },
  };
}
