import type { Router } from 'express';
import type { Config } from '../../config/face.js';
import {
  createRunChainMarks,
  findCallingRun,
  type RunStarter,
  type CachedTeamValues,
} from '../../engine/face.js';
import type { TemplateLanguage } from '../../language/face.js';
import { createDedicatedTenants, createTenantStore, type TenantQuotas } from '../../people/face.js';
import { createNearbyCounter } from '../../platform/http/limits/nearby-counter.js';
import type { RateCounter } from '../../platform/http/limits/rate-counter.js';
import type { RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { StoryGraph, StoryGraphs } from '../../stories/face.js';
import type { CallLog } from './calls/call-log.js';
import { createWebhookCalls } from './calls/webhook-calls.js';
import { createPreloadedFinder } from './preload/preloaded-finder.js';
import { createWebhookPreload, type WebhookPreload } from './preload/webhook-preload.js';
import { createResponseSlots } from './responses/response-slots.js';
import { createResponseWaiter } from './responses/response-waiter.js';
import { createRunChains } from './run-chains.js';
import { createSignedCalls } from './settings/signed-calls.js';
import { createWebhookLimits } from './settings/webhook-limits.js';
import type { WebhookMeter } from './webhook-meter.js';
import { createWebhookRouter, type WebhookTraces } from './webhook-router.js';

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

export interface WebhookServicesDeps {
  config: Config;
  database: Database;
  redis: RedisClient;
  graphs: StoryGraphs;
  runs: RunStarter;
  newRunGuid(): string;
  nowMs(): Promise<number>;
  values: CachedTeamValues;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  quotas: TenantQuotas;
  /** Threads of their own: webhooks wait for no work that somebody asks for. They are closed with these services. */
  threads: ThreadPool;
  counter: RateCounter;
  refused: RefusedCalls;
  /** A connection for subscriptions, which is closed after these services. */
  subscriber: RedisClient;
  /** The last requests of each webhook. */
  log: CallLog;
  /** Counts requests by outcome; undefined: they are not counted. */
  meter: WebhookMeter | undefined;
  /** Makes spans of accepted requests; undefined: there are none. */
  traces: WebhookTraces | undefined;
  logger: Logger;
  /** Logs limits that cannot be counted. */
  limitsLogger: Logger;
}

/** Creates what answers requests to webhooks, and begins to load all webhooks. */
export function createWebhookServices(deps: WebhookServicesDeps): WebhookServices {
  const { config, database, redis, threads, counter, subscriber, log, logger } = deps;
  const prefix = config.queuePrefix;
  const waiter = createResponseWaiter({ database, redis: subscriber, prefix, logger });
  const staleMs = config.storyStaleSeconds * 1000;
  const preload = createWebhookPreload({ database, logger, staleMs });
  const stopping = new AbortController();
  const preloading = preload.run(stopping.signal);
  const calls = createWebhookCalls({ log, logger });
  const ofWebhooks = createNearbyCounter({ redis, prefix, logger: deps.limitsLogger });
  return {
    preload,
    router: createWebhookRouter({
      ...deps,
      calls,
      waiter,
      signedCalls: createSignedCalls({
        redis,
        prefix,
        toleranceSeconds: config.webhookSignatureToleranceSeconds,
        logger,
      }),
      graphs: createPreloadedFinder(deps.graphs, preload),
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
      limits: createWebhookLimits({ counter: ofWebhooks, config, quotas: deps.quotas }),
    }),
    endWaits: () => waiter.close(),
    async close() {
      stopping.abort();
      await Promise.all([waiter.close(), calls.close(), ofWebhooks.close(), preloading]);
      await threads.close();
    },
  };
}
