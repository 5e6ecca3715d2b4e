import { openArchive } from '../../operate/face.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Config } from '../../config/face.js';
import {
  createCredentialService,
  createCredentialStore,
  createResourceService,
  createResourceValuesStore,
  type CredentialService,
  type ResourceService,
} from '../../data/face.js';
import { createDatabase, type Database } from '../../platform/mysql/database.js';
import { createDatabaseClock } from '../../platform/mysql/database-clock.js';
import { createEpoch, createInstallation } from '../../platform/mysql/schema/epoch.js';
import {
  type CachedTeamValues,
  createAccepting,
  createDispatching,
  createIdempotencyKeys,
  createLiveEvents,
  createPromptClicks,
  createQueues,
  createRunNotifications,
  createTeamValuesLoader,
  type Dispatcher,
  type IdempotencyKeys,
  newRunGuid,
  processName,
  type PromptClicks,
  promptSecretOf,
  type Queues,
  type RunNotifications,
  type RunStarter,
  type SpoolQuota,
} from '../../engine/face.js';
import { type LiveEvents, liveEventsKey } from '../../api/face.js';
import { createListenedStream, type ListenedStream } from '../../platform/redis/listened-stream.js';
import { componentLogger, type Logger } from '../../platform/logger.js';
import { pingRedis } from '../../platform/redis/masters.js';
import { createRedis } from '../../platform/redis/redis.js';
import { createTenantQuotas, type TenantQuotas } from '../../people/face.js';
import { createStoryGraphs, type StoryGraph, type StoryGraphs } from '../../stories/face.js';
import { createLanguages, type TemplateLanguage } from '../../language/face.js';
import { createMetrics, type Metrics } from '../metrics/metrics.js';
import { createTraces, type Traces } from '../traces/traces.js';
import { createPoolGauges } from '../metrics/pool-gauges.js';
import { createStoreResponseTime } from '../metrics/store-response-time.js';
import { THREAD_FILE } from '../thread-file.js';
import {
  createThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
} from '../../platform/threads/thread-pool.js';

/** The parts of the server that a line of the log names; docs/operate/logs.md says what each logs. */
const LOG_COMPONENTS = ['requests', 'webhooks', 'jobs', 'queues', 'upkeep', 'stores', 'access'] as const;

/** The logger of each component of a process. */
type ComponentLoggers = Record<(typeof LOG_COMPONENTS)[number], Logger>;

/** Services of both web and worker processes. */
export interface CoreServices {
  config: Config;
  logger: Logger;
  /** The logger of each component. */
  loggers: ComponentLoggers;
  database: Database;
  redis: RedisClient;
  queues: Queues;
  epoch(): Promise<string>;
  /** Idempotency keys of outgoing requests and mails. */
  idempotencyKeys: IdempotencyKeys;
  graphs: StoryGraphs;
  credentials: CredentialService;
  resources: ResourceService;
  values: CachedTeamValues;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  threads: ThreadPool;
  /** Accepts runs; into the spool while MySQL is unreachable. */
  runs: RunStarter;
  /** Returns why this Redis cannot spool events; undefined if it can. */
  spoolTrouble: SpoolQuota['trouble'];
  /** Returns how much of Redis's memory spooled events take, and may take. @throws if Redis does not reply. */
  spoolLevel: SpoolQuota['level'];
  /** Handles clicks on links of prompts. */
  promptClicks: PromptClicks;
  /** Adds the jobs of committed deliveries. */
  dispatcher: Dispatcher;
  /** Notified of progress in runs that a response waits for. */
  progress: RunNotifications;
  /** Tells of what happens in stories, while somebody listens. */
  liveEvents: LiveEvents;
  /** Live events for readers of the stream. */
  liveStream: ListenedStream;
  /** Use and quotas of tenants. */
  quotas: TenantQuotas;
  /** Undefined with `METRICS=off`. */
  metrics: Metrics | undefined;
  /** The traces of this process; undefined: they are off. */
  traces: Traces | undefined;
  /** The archive of runs; undefined: there is none. */
  archive: ObjectStore | undefined;
  newRunGuid(): string;
  /** Returns the database's time, which is the same for all processes. */
  nowMs(): Promise<number>;
  /** Finishes running work, then closes the stores. */
  close(): Promise<void>;
}

/** Creates the services of a web process. They connect to the stores when a connection is needed. */
export function createCoreServices(config: Config, logger: Logger): CoreServices {
  return createCore(config, logger).services;
}

/** Creates the core services, and the parts of them that only a worker needs besides. */
export function createCore(config: Config, logger: Logger, threadOptions: Partial<ThreadPoolOptions> = {}) {
  const stores = openStores(config, logger);
  const { database, redis, queues, loggers, metrics, epoch } = stores;
  const { queuePrefix: prefix } = config;
  const traces = createTraces(config, logger);
  const graphs = createStoryGraphs(database, { staleMs: config.storyStaleSeconds * 1000 });
  const tenantOf = async (storyId: number) => (await graphs.find(storyId))?.tenantId;
  const quotas = createTenantQuotas({ database, defaults: config.quotas, tenantOf, logger: loggers.access });
  const { admission, dispatcher } = createDispatching({
    database,
    redis,
    prefix,
    queues,
    epoch,
    standingOf: (storyId) => graphs.find(storyId),
    logger: loggers.queues,
  });
  const progress = createRunNotifications({ redis, prefix, logger: loggers.queues });
  const liveStream = createListenedStream({ redis, key: liveEventsKey(prefix) });
  const liveEvents = createLiveEvents({ stream: liveStream, database, logger: loggers.queues });
  const credentials = createCredentialService({
    store: createCredentialStore(database),
    encryptionKey: config.encryptionKey,
    encryptionKeysPrevious: config.encryptionKeysPrevious,
    requireHosts: config.requireCredentialHosts,
  });
  const resources = createResourceService({ store: createResourceValuesStore(database) });
  const { writer, runs, room } = createAccepting({
    ...stores,
    dispatcher,
    credentials,
    quotas,
    progress,
    liveEvents,
    meter: metrics?.runs,
    logger: loggers.webhooks,
  });
  const threads = createThreadPool({ file: THREAD_FILE, ...threadOptions });
  const archive = openArchive(config);
  const services: CoreServices = {
    ...stores,
    idempotencyKeys: createIdempotencyKeys(createInstallation(database)),
    graphs,
    credentials,
    resources,
    values: createTeamValuesLoader({ credentials, resources, database }),
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
    liveEvents,
    liveStream,
    quotas,
    traces,
    runs,
    spoolTrouble: () => room.trouble(),
    spoolLevel: () => room.level(),
    archive,
    newRunGuid,
    nowMs: createDatabaseClock({ database, logger: loggers.stores }),
    async close() {
      await threads.close();
      await writer.drain();
      await dispatcher.drain();
      await liveEvents.close();
      await progress.drain();
      await room.close();
      await quotas.close();
      await queues.close();
      redis.disconnect();
      await archive?.close();
      await database.close();
      await traces?.close();
    },
  };
  return { services, writer, admission };
}

/** Opens the stores of a long-running process, and measures them. They connect when a connection is needed. */
function openStores(config: Config, logger: Logger) {
  const loggers = componentLoggers(logger);
  const { databaseUrl: url, databaseTls: tls, databasePoolSize: poolSize } = config;
  const database = createDatabase({ url, tls, poolSize, logger: loggers.stores, watched: true });
  const connectionName = processName(config.queuePrefix, config.queueParts);
  const redis = createRedis({ ...config, connectionName }, 'producer', loggers.stores);
  const queues = createQueues({
    redis,
    prefix: config.queuePrefix,
    parts: config.queueParts,
    logger: loggers.queues,
  });
  const metrics = createMetrics(config);
  if (metrics !== undefined) {
    metrics.onReading(createPoolGauges(metrics.instruments, database));
    metrics.onReading(createStoreResponseTime('mysql', () => database.ping(), metrics.instruments));
    metrics.onReading(createStoreResponseTime('redis', () => pingRedis(redis), metrics.instruments));
  }
  return { config, logger, loggers, database, redis, queues, epoch: createEpoch(database), metrics };
}

/** Returns the logger of each component of a process. */
function componentLoggers(root: Logger): ComponentLoggers {
  const entries = LOG_COMPONENTS.map((name) => [name, componentLogger(root, name)] as const);
  return Object.fromEntries(entries) as ComponentLoggers;
}
