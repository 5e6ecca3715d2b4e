import type { Redis } from 'ioredis';
import { type CaseNotifier, createCaseNotifier } from '../cases/notifications/case-notifier.js';
import type { Config } from '../config/config.js';
import { createCredentialService, type CredentialService } from '../credentials/credential-service.js';
import { createCredentialStore } from '../credentials/credential-store.js';
import type { Database } from '../platform/mysql/database.js';
import { createDatabaseClock } from '../platform/mysql/database-clock.js';
import { createEpoch, createInstallation } from '../platform/mysql/epoch.js';
import { createAfterCommit } from '../engine/follow-up/after-commit.js';
import { type CpuShares, createCpuShares } from '../engine/execute/lane/cpu-shares.js';
import { createDeliveryLoader } from '../engine/execute/delivery-loader.js';
import { createEventCache } from '../engine/state/event-cache.js';
import { meterOutcomes } from '../engine/commit/meter-outcomes.js';
import { createMeteredShares } from '../engine/execute/lane/metered-shares.js';
import { openDatabase } from './open-database.js';
import { createOutcomeWriter, type OutcomeWriter } from '../engine/commit/outcome-writer.js';
import { createGroupBuffer } from '../engine/implode/group-buffer.js';
import { createParkedSweeper, type ParkedSweeper } from '../engine/implode/parked-sweeper.js';
import { createPromptClicks, type PromptClicks } from '../engine/prompts/prompt-clicks.js';
import { createOwnPromptLinks } from '../engine/prompts/own-prompt-links.js';
import { promptSecretOf } from '../engine/prompts/prompt-secret.js';
import { createRedisSentinel } from '../engine/recovery/redis-sentinel.js';
import { createFeeder, type Feeder } from '../engine/dispatch/release-held.js';
import { createGiveUp, type GiveUp } from '../engine/recovery/give-up.js';
import { createRelay, type Relay } from '../engine/recovery/relay.js';
import { createRetention, type Retention } from '../engine/retention/retention-loop.js';
import { periodsOf } from '../engine/retention/retention-steps.js';
import { createRunDelivery, type RunDelivery } from '../engine/execute/run-delivery.js';
import { createRetryByHand, type RetryByHand } from '../engine/recovery/retry-by-hand.js';
import { createRunawayGuard } from '../engine/follow-up/runaway-guard.js';
import { createRunWriter, newRunGuid } from '../engine/accept/start-runs.js';
import { createScheduler, type Scheduler } from '../engine/accept/scheduler.js';
import { createTeamVault } from '../engine/secrets/secret-vault.js';
import { createSpoolDrain, type DrainSpooledRun } from '../engine/accept/spool-drain.js';
import { createSpoolQuota, type SpoolQuota } from '../engine/accept/spool-quota.js';
import { createSpoolingStarter } from '../engine/accept/outage-spool.js';
import { createTeamValues } from '../engine/secrets/team-values-loader.js';
import { createWorkLane } from '../engine/execute/lane/work-lane.js';
import { createWorkUnderWay } from '../engine/execute/work-under-way.js';
import { createIdempotencyKeys, type IdempotencyKeys } from '../engine/state/idempotency-key.js';
import { countPending, holdDeliveries } from '../engine/dispatch/held-store.js';
import { createRunNotifications, type RunNotifications } from '../engine/state/run-notifications.js';
import type { RunStarter } from '../engine/accept/run-starter.js';
import type { Logger } from '../platform/logger.js';
import { createMailers } from '../mails/create-mailers.js';
import { clientOptions } from '../config/client-options.js';
import { createHttpClient, type HttpClientOptions } from '../platform/outbound/http-client.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import { baseUrlOf, domainOf } from '../platform/http/own-address.js';
import { createFairShares } from '../engine/dispatch/fair-shares.js';
import { createAdmission, type HeldJob } from '../engine/dispatch/admission.js';
import { type Backlog, createBacklog } from '../engine/dispatch/backlog.js';
import { createDispatcher, type Dispatcher } from '../engine/dispatch/dispatcher.js';
import { createJobLookup } from '../engine/dispatch/job-presence.js';
import { jobsAtOnce } from '../engine/dispatch/jobs-at-once.js';
import { SPOOL_QUEUE } from '../engine/dispatch/jobs.js';
import { createQueues, queueNamed, type Queues } from '../engine/dispatch/queues.js';
import { createRedis } from '../platform/redis/redis.js';
import { createTenantQuotas, type TenantQuotas } from '../access/quotas/tenant-quotas.js';
import { createRecordChores, type RecordChores } from '../records/record-chores.js';
import { createResourceService, type ResourceService } from '../resources/resource-service.js';
import { createResourceStore } from '../resources/resource-store.js';
import { followStoryChanges } from '../stories/story-changes.js';
import type { StoryGraph } from '../stories/story-graph.js';
import { createStoryGraphs, type StoryGraphs } from '../stories/story-graphs.js';
import { createLanguages } from '../language/languages.js';
import type { TeamValues } from '../language/team-values.js';
import type { TemplateLanguage } from '../language/template.js';
import { TASKS_FILE } from './thread-tasks.js';
import {
  createThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
} from '../platform/threads/thread-pool.js';

/** Number of tasks that wait for a thread; tasks of a tenant over its limit are handed back. */
const WAITING_FOR_THREADS = { ofTenant: 500, ofAll: 5_000 };
/** Size of a worker's event cache. */
const EVENT_CACHE_BYTES = 64 * 1024 * 1024;

/** Services of both web and worker processes. */
export interface CoreServices {
  config: Config;
  logger: Logger;
  database: Database;
  redis: Redis;
  queues: Queues;
  epoch(): Promise<string>;
  /** Idempotency keys of outgoing requests and mails. */
  marks: IdempotencyKeys;
  graphs: StoryGraphs;
  credentials: CredentialService;
  resources: ResourceService;
  values: TeamValues;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  threads: ThreadPool;
  /** Accepts runs; into the spool while MySQL is unreachable. */
  runs: RunStarter;
  /** Returns why this Redis cannot spool events; undefined if it can. */
  spoolTrouble: SpoolQuota['trouble'];
  /** Handles clicks on links of prompts. */
  promptClicks: PromptClicks;
  /** Adds the jobs of committed deliveries. */
  dispatcher: Dispatcher;
  /** Notified of progress in runs that a response waits for. */
  progress: RunNotifications;
  /** Use and quotas of tenants. */
  quotas: TenantQuotas;
  newRunGuid(): string;
  /** Returns the database's time, which is the same for all processes. */
  nowMs(): Promise<number>;
  /** Finishes running work, then closes the stores. */
  close(): Promise<void>;
}

/** Additional services of a worker process. */
export interface WorkerServices extends CoreServices {
  runDelivery: RunDelivery;
  /** Processor time of this process used by each tenant. */
  cpuShares: CpuShares;
  giveUp: GiveUp;
  retryByHand: RetryByHand;
  backlog: Backlog;
  drainSpooledRun: DrainSpooledRun;
  relay: Relay;
  feeder: Feeder;
  parkedSweeper: ParkedSweeper;
  scheduler: Scheduler;
  retention: Retention;
  caseNotifier: CaseNotifier;
  recordChores: RecordChores;
}

/** Creates the services of a web process. They connect to the stores when a connection is needed. */
export function createCoreServices(config: Config, logger: Logger): CoreServices {
  return createCore(config, logger).services;
}

/** Creates the services of a worker process. Tests of stories replace `http`. */
export function createWorkerServices(
  config: Config,
  logger: Logger,
  http: HttpClient = createHttpClient(outboundOptions(config)),
): WorkerServices {
  const { services, writer, placing } = createCore(config, logger, { waiting: WAITING_FOR_THREADS });
  const { database, redis, queues, dispatcher, progress } = services;
  const epoch = () => services.epoch();
  const events = createEventCache(EVENT_CACHE_BYTES);
  const mailers = createMailers(services);
  const subscriber = createRedis(config, 'subscriber', logger);
  const { queuePrefix: prefix } = config;
  const { graphs } = services;
  const cpuShares = createMeteredShares(createCpuShares(config.tenantCpuShare), services.quotas);
  const lane = createWorkLane({ shares: cpuShares, threads: services.threads });
  const underWay = createWorkUnderWay({ database, graphs, logger });
  const changes = followStoryChanges({ redis: subscriber, prefix, graphs: underWay, logger });
  const loader = createDeliveryLoader({ database, events });
  const outcomes: OutcomeWriter = createOutcomeWriter({
    database,
    dispatcher,
    events,
    onCommitted: (committed, stored) => {
      aftermath.follow(committed, stored);
      guard.follow(committed);
      meterOutcomes(committed, services.quotas);
    },
  });
  const aftermath = createAfterCommit({ database, outcomes, loader, graphs, logger, progress });
  const groupsAtHand = createGroupBuffer({ database, outcomes, loader, graphs, logger });
  const guard = createRunawayGuard({ database, graphs, limit: config.runEventLimit, logger });
  return {
    ...services,
    runDelivery: createRunDelivery({
      ...services,
      vault: createTeamVault(config, services.credentials),
      loader,
      outcomes: groupsAtHand,
      underWay,
      lane,
      http,
      mailers,
      prompts: createOwnPromptLinks(database, { ...config, baseUrl: baseUrlOf(config) }),
      newGuid: newRunGuid,
      limits: {
        maxAttempts: config.maxAttempts,
        maxDepth: config.maxDepth,
        maxCallDepth: config.maxCallDepth,
      },
      domain: domainOf(config),
    }),
    cpuShares,
    giveUp: createGiveUp({ loader, outcomes }),
    retryByHand: createRetryByHand({ database, dispatcher }),
    backlog: createBacklog({ redis, queues }),
    drainSpooledRun: createSpoolDrain({ writer, graphs: services.graphs, logger }),
    feeder: createFeeder({ database, dispatcher, placing, logger }),
    relay: createRelay({
      database,
      dispatcher,
      lookup: createJobLookup({ redis, queues, epoch }),
      sentinel: createRedisSentinel(redis, config.queuePrefix, epoch, logger),
      logger,
    }),
    parkedSweeper: createParkedSweeper({ database, outcomes, loader, graphs, logger }),
    scheduler: createScheduler({ ...services, newRunGuid }),
    retention: createRetention({ database, periods: periodsOf(config), logger }),
    caseNotifier: createCaseNotifier({ ...services, http, mailers, baseUrl: baseUrlOf(config) }),
    recordChores: createRecordChores({ database, logger }),
    async close() {
      await underWay.close();
      await groupsAtHand.drain();
      await outcomes.drain();
      await aftermath.drain();
      await guard.drain();
      await outcomes.drain();
      await Promise.all([mailers.close(), http.close(), changes.close()]);
      subscriber.disconnect();
      await services.close();
    },
  };
}

function createCore(config: Config, logger: Logger, threadOptions: Partial<ThreadPoolOptions> = {}) {
  const database = openDatabase(config, logger);
  const redis = createRedis(config, 'producer', logger);
  const queues = createQueues({ redis, prefix: config.queuePrefix, logger });
  const epoch = createEpoch(database);
  const marks = createIdempotencyKeys(createInstallation(database));
  const graphs = createStoryGraphs(database, { staleMs: config.storyStaleSeconds * 1000 });
  const tenantOf = async (storyId: number) => (await graphs.find(storyId))?.tenantId;
  const quotas = createTenantQuotas({ database, defaults: config.quotas, tenantOf, logger });
  const placing = createAdmission({
    shares: createFairShares(),
    standingOf: (storyId) => graphs.find(storyId),
    countJobs: () => database.read(countPending),
  });
  const hold = (jobs: HeldJob[]) => database.read((session) => holdDeliveries(session, jobs));
  const dispatcher = createDispatcher({ queues, epoch, placing, hold, logger });
  const progress = createRunNotifications({ redis, prefix: config.queuePrefix, logger });
  const writer = createRunWriter({
    database,
    dispatcher,
    maxWaitMs: config.acceptWaitMs,
    admit: (json) => credentials.admit(json),
    onAwaitedProgress: (guids) => progress.advance(guids),
    usage: quotas,
  });
  const spool = queueNamed(queues, SPOOL_QUEUE);
  const room = createSpoolQuota({ redis, queue: spool, maxBytes: config.spoolMaxBytes, logger });
  const credentials = createCredentialService({
    store: createCredentialStore(database),
    encryptionKey: config.encryptionKey,
    encryptionKeysPrevious: config.encryptionKeysPrevious,
    requireHosts: config.requireCredentialHosts,
  });
  const resources = createResourceService({ store: createResourceStore(database) });
  const threads = createThreadPool({ tasksFile: TASKS_FILE, ...threadOptions });
  const services: CoreServices = {
    config,
    logger,
    database,
    redis,
    queues,
    epoch,
    marks,
    graphs,
    credentials,
    resources,
    values: createTeamValues({ credentials, resources, database }),
    languages: createLanguages(),
    threads,
    promptClicks: createPromptClicks({
      database,
      secret: promptSecretOf(database),
      graphs,
      dispatcher,
      newGuid: newRunGuid,
      usage: quotas,
      onAwaitedProgress: (guids) => progress.advance(guids),
    }),
    dispatcher,
    progress,
    quotas,
    runs: createSpoolingStarter({ writer, queue: spool, room, logger }),
    spoolTrouble: () => room.trouble(),
    newRunGuid,
    nowMs: createDatabaseClock({ database, logger }),
    async close() {
      await threads.close();
      await writer.drain();
      await dispatcher.drain();
      await progress.drain();
      await room.close();
      await quotas.close();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      redis.disconnect();
      await database.close();
    },
  };
  return { services, writer, placing };
}

function outboundOptions(config: Config): HttpClientOptions {
  return { ...clientOptions(config), connectionsPerOrigin: jobsAtOnce(config) };
}
