import { checkOptions, runnable } from './agents/index.js';
import type { AppDeps } from './app.js';
import { createActorStore } from './auth/actor-store.js';
import { createAuthenticator } from './auth/authenticator.js';
import type { Config } from './config.js';
import { pendingMigrations } from './db/migrate.js';
import type { HealthChecks } from './http/health.js';
import type { ApiServices } from './http/routes.js';
import type { Logger } from './logger.js';
import { createRedis } from './queues/redis.js';
import { type CoreServices, createCoreServices } from './services.js';
import { createStoryService } from './stories/story-service.js';
import { createDedicatedTenants } from './tenants/dedicated-tenants.js';
import { createTenantStore } from './tenants/tenant-store.js';
import { createResponseSlots } from './webhooks/response-slots.js';
import { createResponseWaiter } from './webhooks/response-waiter.js';
import { createWebhookRouter } from './webhooks/webhook-router.js';

/** Beyond the longest wait: a slot whose process died is free again after it. */
const SLOT_LEASE_SLACK_MS = 10_000;

/** What the web application is made of. */
export interface WebServices {
  core: CoreServices;
  app: Omit<AppDeps<ApiServices>, 'routes'>;
  /** Answers open response calls at once: their runs go on. */
  endWaits(): Promise<void>;
  /** To be called after the HTTP server has closed. */
  close(): Promise<void>;
}

/** The composition root of a web process. */
export function createWebServices(
  config: Config,
  logger: Logger,
  process: { isShuttingDown(): boolean },
): WebServices {
  const core = createCoreServices(config, logger);
  const { database, redis } = core;
  const subscriber = createRedis(config, 'subscriber', logger);
  const waiter = createResponseWaiter({ database, redis: subscriber, prefix: config.queuePrefix, logger });
  const slots = createResponseSlots({
    redis,
    prefix: config.queuePrefix,
    limits: { ordinary: config.responseConcurrency, dedicated: config.responseConcurrencyDedicated },
    isDedicated: createDedicatedTenants(createTenantStore(database.knex)),
    leaseMs: config.responseWaitMs + SLOT_LEASE_SLACK_MS,
    logger,
  });
  return {
    core,
    app: {
      config,
      logger,
      services: {
        stories: createStoryService({
          database,
          agentTypes: { checkOptions, runnable },
          checkTemplates: (text) => core.languages.liquid.check(text),
        }),
      },
      authenticator: createAuthenticator({ actors: createActorStore(database), logger }),
      queues: [...core.queues.values()],
      health: { checks: healthChecks(core), isShuttingDown: () => process.isShuttingDown() },
      webhookRouter: createWebhookRouter({ ...core, waiter, slots }),
    },
    endWaits: () => waiter.close(),
    async close() {
      await waiter.close();
      subscriber.disconnect();
      await core.close();
    },
  };
}

function healthChecks({ database, redis }: CoreServices): HealthChecks {
  return {
    database: () => database.ping(),
    redis: async () => {
      await redis.ping();
    },
    schema: async () => {
      const pending = await pendingMigrations(database.knex);
      if (pending.length > 0) throw new Error(`${pending.length} migrations have not been run`);
    },
  };
}
