import type { Router } from 'express';
import { createRunChainMarks, findCallingRun } from '../../engine/face.js';
import { createDedicatedTenants, createTenantStore } from '../../people/face.js';
import { createNearbyCounter } from '../../platform/http/limits/nearby-counter.js';
import type { RateCounter } from '../../platform/http/limits/rate-counter.js';
import type { RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { createThreadPool } from '../../platform/threads/thread-pool.js';
import {
  type CallLog,
  createPreloadedFinder,
  createResponseSlots,
  createResponseWaiter,
  createRunChains,
  createSignedCalls,
  createWebhookCalls,
  createWebhookLimits,
  createWebhookPreload,
  createWebhookRouter,
  type WebhookPreload,
} from '../../web/face.js';
import { THREAD_FILE } from '../thread-file.js';
import type { CoreServices } from './core-services.js';

/** Added to the longest wait: after that time the slot of a process that died is free again. */
const SLOT_LEASE_SLACK_MS = 10_000;

/** Answers requests to webhooks in a web process. */
export interface WebhookServices {
  router: Router;
  /** Webhooks in memory, for times when MySQL is unreachable. */
  preload: WebhookPreload;
  /** Responds at once to requests that wait for a run; the runs continue. */
  endWaits(): Promise<void>;
  close(): Promise<void>;
}

/** Parts that the rest of the web process uses as well. */
export interface WebhookServicesDeps {
  counter: RateCounter;
  refused: RefusedCalls;
  /** A connection for subscriptions, which is closed after these services. */
  subscriber: RedisClient;
  /** The last requests of each webhook. */
  log: CallLog;
}

/** Creates what answers requests to webhooks, and begins to load all webhooks. */
export function createWebhookServices(
  core: CoreServices,
  { counter, refused, subscriber, log }: WebhookServicesDeps,
): WebhookServices {
  const { config, database, redis, metrics } = core;
  const prefix = config.queuePrefix;
  const logger = core.loggers.webhooks;
  // Webhooks wait for no work that somebody asks for.
  const threads = createThreadPool({ file: THREAD_FILE });
  const waiter = createResponseWaiter({ database, redis: subscriber, prefix, logger });
  const staleMs = config.storyStaleSeconds * 1000;
  const preload = createWebhookPreload({ database, logger, staleMs });
  const stopping = new AbortController();
  const preloading = preload.run(stopping.signal);
  const calls = createWebhookCalls({ log, logger });
  const ofWebhooks = createNearbyCounter({ redis, prefix, logger: core.loggers.access });
  return {
    preload,
    router: createWebhookRouter({
      ...core,
      threads,
      logger,
      refused,
      calls,
      waiter,
      meter: metrics?.webhooks,
      traces: core.traces?.webhooks,
      signedCalls: createSignedCalls({
        redis,
        prefix,
        toleranceSeconds: config.webhookSignatureToleranceSeconds,
        logger,
      }),
      graphs: createPreloadedFinder(core.graphs, preload),
      slots: createResponseSlots({
        redis,
        prefix,
        limits: { ordinary: config.responseConcurrency, dedicated: config.responseConcurrencyDedicated },
        isDedicated: createDedicatedTenants(createTenantStore(database.knex)),
        leaseMs: config.responseWaitMs + SLOT_LEASE_SLACK_MS,
        logger,
      }),
      windows: counter,
      chains: createRunChains({
        redis,
        prefix,
        most: config.maxWebhookChain,
        marks: createRunChainMarks(database),
        callerOf: (guid) => database.read((session) => findCallingRun(session, guid)),
        logger,
      }),
      limits: createWebhookLimits({ counter: ofWebhooks, config, quotas: core.quotas }),
    }),
    endWaits: () => waiter.close(),
    async close() {
      stopping.abort();
      await Promise.all([waiter.close(), calls.close(), ofWebhooks.close(), preloading]);
      await threads.close();
    },
  };
}
