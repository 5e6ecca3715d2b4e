import type { Express } from 'express';
import {
  createAdminApp,
  createAdminRouter,
  createCallLog,
  createOwnCalls,
  createPeople,
  createPromptRouter,
  createSharedCalls,
  createWebhookServices,
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
import { createRefusedCalls, type RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import { clientOptions, type Config } from '../../config/face.js';
import { createOauthRouter } from '../../data/face.js';
import { createHttpClient } from '../../platform/outbound/http-client.js';
import { requireSchema } from '../../platform/mysql/schema/migrate.js';
import type { HealthChecks } from '../../platform/http/server/health-router.js';
import { responseSeal } from '../response-seal.js';
import { createRateCounter, type RateCounter } from '../../platform/http/limits/rate-counter.js';
import { openReadRouting } from '../reader/open-read-routing.js';
import { createRouteServices } from './route-services.js';
import { type RouteServices, ROUTES } from '../routes.js';
import type { Logger } from '../../platform/logger.js';
import { pingRedis } from '../../platform/redis/masters.js';
import { createRedis } from '../../platform/redis/redis.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { createQueueHealth } from '../../engine/face.js';
import { createStreamService } from '../../observe/face.js';
import { createTrials, type Trials } from '../../trial/face.js';
import { createThreadPool } from '../../platform/threads/thread-pool.js';
import { THREAD_FILE } from '../thread-file.js';
import { type CoreServices, createCoreServices } from './core-services.js';
import { followStoryChanges } from '../../stories/face.js';

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
  const { loggers, database, redis, metrics } = core;
  const { queuePrefix: prefix } = config;
  const trials = createTrials({ ...core, threadFile: THREAD_FILE });
  const counter = createRateCounter({ redis, prefix, logger: loggers.access });
  const refused = createRefusedCalls({ perMinute: config.refusedCallsPerMinute });
  const audit = createAuditTrail({
    database,
    logger: loggers.access,
    onStored: (tenantId) => core.liveEvents.add(auditLiveEvent(tenantId)),
  });
  const subscriber = createRedis(config, 'subscriber', loggers.stores);
  const log = createCallLog({ redis, prefix });
  const webhooks = createWebhookServices({
    ...core,
    threads: createThreadPool({ file: THREAD_FILE }),
    counter,
    refused,
    subscriber,
    log,
    meter: metrics?.webhooks,
    traces: core.traces?.webhooks,
    logger: loggers.webhooks,
    limitsLogger: loggers.access,
  });
  const changes = followChanges(core, { subscriber, preload: webhooks.preload, trials });
  const toolCalls = createSharedCalls({ redis, subscriber, prefix, logger: loggers.requests });
  const plainHttp = createHttpClient(clientOptions(config));
  const http = metrics?.client(plainHttp) ?? plainHttp;
  const stream = createStreamService({
    database,
    stream: core.liveStream,
    limits: { max: config.streamConnections, maxPerUser: config.streamConnectionsPerUser },
    logger: loggers.stores,
  });
  const ownCalls = createOwnCalls();
  const queueHealth = createQueueHealth(core.queues);
  const createServices = (place: CoreServices) =>
    createRouteServices(place, { http, log, stream, trials, ownCalls, queueHealth });
  const services = createServices(core);
  const reading = openReadRouting(core, { services, createServices });
  const api = {
    ...apiDeps(core, { counter, refused }),
    services,
    audit,
    elsewhere: reading?.elsewhere,
  };
  const { bodyLimitBytes, publicUrl } = config;
  const people = createPeople({
    ...core,
    ...api,
    api: { ...api, routes: ROUTES, bodyLimitBytes, publicUrl },
    logger: loggers.access,
    onSignIn: (outcome, method) => metrics?.personSignedIn(outcome, method),
  });
  const adminDeps = {
    ...core,
    logger: loggers.access,
    audit,
    people: people.origin,
    refused,
    onSignIn: (outcome: SignIn) => metrics?.signedIn(outcome),
  };
  const adminRouter = createAdminRouter(adminDeps);
  const forRouters = { refused, logger: loggers.requests };
  return {
    core,
    preload: webhooks.preload,
    admin: config.adminPort === undefined ? undefined : createAdminApp(adminRouter, adminDeps),
    app: {
      config,
      ...forRouters,
      ...api,
      toolCalls,
      adminRouter,
      health: { ...healthOf(core, webhooks.preload), isShuttingDown: () => process.isShuttingDown() },
      oauthRouter: createOauthRouter({ connect: services.oauthConnect, ...forRouters }),
      promptRouter: createPromptRouter({ clicks: core.promptClicks, config, ...forRouters }),
      webhookRouter: ownCalls.serving(webhooks.router),
    },
    endStreams: () => stream.close(),
    endWaits: () => webhooks.endWaits(),
    async close() {
      await Promise.all([webhooks.close(), changes.close(), toolCalls.close(), stream.close()]);
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

/** Creates what each request of the API goes through before its service. */
function apiDeps(core: CoreServices, { counter, refused }: { counter: RateCounter; refused: RefusedCalls }) {
  const { config, database, loggers, metrics, threads } = core;
  return {
    authenticator: createAuthenticator({
      actors: createActorStore(database),
      logger: loggers.access,
      refused,
    }),
    limits: createRouteLimits({ counter, config }),
    idempotency: createIdempotency({
      database,
      counter,
      seal: responseSeal(core.credentials),
      logger: loggers.requests,
    }),
    threads,
    meter: metrics?.calls,
  };
}

interface Caches {
  subscriber: RedisClient;
  preload: Pick<WebhookPreload, 'look'>;
  trials: Trials;
}

/** Forgets what other processes have changed. */
function followChanges(
  { config, graphs, values, loggers }: CoreServices,
  { subscriber, preload, trials }: Caches,
) {
  const channel = { redis: subscriber, prefix: config.queuePrefix, logger: loggers.stores };
  const ofStories = followStoryChanges({
    ...channel,
    graphs: {
      invalidate(storyId) {
        graphs.invalidate(storyId);
        values.forgetStories();
        preload.look(storyId);
      },
    },
  });
  const ofValues = followValueChanges({ ...channel, caches: [values, trials] });
  return {
    async close() {
      await Promise.all([ofStories.close(), ofValues.close()]);
    },
  };
}

/** Returns what `/readyz` checks, and what it warns of. */
function healthOf({ database, redis, spoolTrouble }: CoreServices, preload: WebhookPreload) {
  const checks: HealthChecks = {
    database: () => database.ping(),
    redis: () => pingRedis(redis),
    schema: () => requireSchema(database.knex),
    webhooks: async () => {
      if (!preload.isLoaded()) throw new Error('webhooks are still loading');
    },
  };
  return {
    checks,
    warnings: async () => [await spoolTrouble()].filter((trouble) => trouble !== undefined),
  };
}
