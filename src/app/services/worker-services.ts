import {
  type ActionWatcher,
  type Archiver,
  createActionWatcher,
  createArchiver,
  createDigestMaker,
  createFailureNotifier,
  createNoticeSender,
  createReconnectNotifier,
  createSkipNotifier,
  type DigestMaker,
  type FailureNotifier,
  type NoticeSender,
  type ReconnectNotifier,
  type SkipNotifier,
} from '../../operate/face.js';
import {
  type CaseNotifier,
  createCaseNotifier,
  createMailers,
  createRecordChores,
  type RecordChores,
} from '../../data/face.js';
import { baseUrlOf, clientOptions, type Config, domainOf } from '../../config/face.js';
import {
  type Backlog,
  countCalledRuns,
  type CpuShares,
  createAfterCommit,
  createBacklog,
  createCpuShares,
  createDeliveryLoader,
  createEventCache,
  createHeldJobReleaser,
  createGiveUp,
  createGroupBuffer,
  createFailureLinks,
  createJobLog,
  createJobLookup,
  createMeteredShares,
  createOutcomeWriter,
  createOwnPromptLinks,
  createParkedSweeper,
  createRedisLossDetector,
  createRelay,
  createRetention,
  createRetryByHand,
  createRunawayGuard,
  createRunChainMarks,
  createRunDelivery,
  createRunEnds,
  createScheduler,
  createSpoolDrain,
  createTeamVault,
  createWorkLane,
  createWorkUnderWay,
  type DrainSpooledRun,
  type HeldJobReleaser,
  type GiveUp,
  jobsAtOnce,
  meterOutcomes,
  newRunGuid,
  type OutcomeWriter,
  type ParkedSweeper,
  periodsOf,
  type Relay,
  type Retention,
  type RetryByHand,
  type RunDelivery,
  type Scheduler,
  publishOutcomes,
  watchBoth,
  watchForLog,
} from '../../engine/face.js';
import type { Logger } from '../../platform/logger.js';
import { createHttpClient, type HttpClientOptions } from '../../platform/outbound/http-client.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { createRedis } from '../../platform/redis/redis.js';
import {
  createKnownSecrets,
  createStatisticsCounter,
  createValueIndexer,
  type StatisticsCounter,
  type ValueIndexer,
} from '../../observe/face.js';
import { followValueChanges } from '../../people/face.js';
import { followStoryChanges } from '../../stories/face.js';
import { type CoreServices, createCore } from './core-services.js';

/** Number of tasks that wait for a thread; tasks of a tenant over its limit are handed back. */
const WAITING_FOR_THREADS = { ofTenant: 500, ofAll: 5_000 };
/** Size of a worker's event cache. */
const EVENT_CACHE_BYTES = 64 * 1024 * 1024;

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
  heldJobReleaser: HeldJobReleaser;
  parkedSweeper: ParkedSweeper;
  scheduler: Scheduler;
  retention: Retention;
  /** Absent without an archive. */
  archiver: Archiver | undefined;
  caseNotifier: CaseNotifier;
  failureNotifier: FailureNotifier;
  skipNotifier: SkipNotifier;
  reconnectNotifier: ReconnectNotifier;
  actionWatcher: ActionWatcher;
  digestMaker: DigestMaker;
  noticeSender: NoticeSender;
  recordChores: RecordChores;
  statisticsCounter: StatisticsCounter;
  /** Absent if the search has no index. */
  valueIndexer: ValueIndexer | undefined;
}

/** Creates the services of a worker process. Tests of stories replace `plainHttp`. */
export function createWorkerServices(
  config: Config,
  logger: Logger,
  plainHttp: HttpClient = createHttpClient(outboundOptions(config)),
): WorkerServices {
  const { services, writer, admission } = createCore(config, logger, { waiting: WAITING_FOR_THREADS });
  const { metrics } = services;
  const http = metrics?.client(plainHttp) ?? plainHttp;
  const { database, redis, queues, dispatcher, progress, loggers } = services;
  const epoch = () => services.epoch();
  const events = createEventCache(EVENT_CACHE_BYTES);
  const plainMailers = createMailers(services);
  const mailers = metrics?.mailers(plainMailers) ?? plainMailers;
  const subscriber = createRedis(config, 'subscriber', loggers.stores);
  const { queuePrefix: prefix } = config;
  const { graphs } = services;
  const cpuShares = createMeteredShares(createCpuShares(config.tenantCpuShare), services.quotas);
  const lane = createWorkLane({ shares: cpuShares, threads: services.threads });
  const underWay = createWorkUnderWay({ database, graphs, logger: loggers.jobs });
  const vault = createTeamVault(config, services.credentials, { http, database });
  const { values } = services;
  const changes = followStoryChanges({
    redis: subscriber,
    prefix,
    graphs: {
      invalidate(storyId) {
        underWay.invalidate(storyId);
        values.forgetStories();
      },
    },
    logger: loggers.stores,
  });
  const ofValues = { redis: subscriber, prefix, caches: [values, vault], logger: loggers.stores };
  const valueChanges = followValueChanges(ofValues);
  const loader = createDeliveryLoader({ database, events });
  const outcomes: OutcomeWriter = createOutcomeWriter({
    database,
    dispatcher,
    events,
    handleFailure: createFailureLinks({ loader, graphs }),
    onCommitted: (committed, stored) => {
      afterCommit.follow(committed, stored);
      guard.follow(committed);
      services.traces?.committed(committed, stored);
      meterOutcomes(committed, services.quotas);
      if (metrics !== undefined) countCalledRuns(committed, metrics.runs);
      ends?.follow(committed);
      publishOutcomes(committed, services.liveEvents);
    },
    meter: metrics?.runs,
  });
  const afterCommit = createAfterCommit({
    database,
    outcomes,
    loader,
    graphs,
    logger: loggers.upkeep,
    progress,
  });
  const groupBuffer = createGroupBuffer({ database, outcomes, loader, graphs, logger: loggers.upkeep });
  const guard = createRunawayGuard({
    database,
    graphs,
    limit: config.runEventLimit,
    liveEvents: services.liveEvents,
    logger: loggers.upkeep,
  });
  const notifying = { database, baseUrl: baseUrlOf(config), logger: loggers.upkeep };
  const ends = metrics && createRunEnds({ database, meter: metrics.runs, logger: loggers.upkeep });
  return {
    ...services,
    runDelivery: createRunDelivery({
      ...services,
      logger: loggers.jobs,
      watch: watchBoth(watchForLog(createJobLog(loggers.jobs)), services.traces?.watch),
      vault,
      loader,
      outcomes: groupBuffer,
      underWay,
      meter: metrics?.actions,
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
      keepsRequests: true,
      chainMarks: createRunChainMarks(database),
    }),
    cpuShares,
    giveUp: createGiveUp({ loader, outcomes }),
    retryByHand: createRetryByHand({ database, dispatcher }),
    backlog: createBacklog({ redis, queues }),
    drainSpooledRun: createSpoolDrain({ writer, graphs: services.graphs, logger: loggers.webhooks }),
    heldJobReleaser: createHeldJobReleaser({ database, dispatcher, admission, logger: loggers.upkeep }),
    relay: createRelay({
      database,
      dispatcher,
      lookup: createJobLookup({ redis, queues, epoch }),
      lossDetector: createRedisLossDetector({ redis, prefix, queues, epoch, logger: loggers.upkeep }),
      onRequeued: (count) => metrics?.requeued(count),
      logger: loggers.upkeep,
    }),
    parkedSweeper: createParkedSweeper({ database, outcomes, loader, graphs, logger: loggers.upkeep }),
    scheduler: createScheduler({ ...services, logger: loggers.upkeep, newRunGuid, meter: metrics?.runs }),
    retention: createRetention({
      database,
      periods: periodsOf(config),
      onlyArchived: services.archive !== undefined,
      onFinished: (began) => metrics?.instruments.retentionFinished.set(began.getTime() / 1000),
      logger: loggers.upkeep,
    }),
    archiver:
      services.archive &&
      createArchiver({
        database,
        objects: services.archive,
        afterHours: config.archiveAfterHours,
        logger: loggers.upkeep,
      }),
    caseNotifier: createCaseNotifier({
      ...services,
      logger: loggers.upkeep,
      http,
      mailers,
      baseUrl: baseUrlOf(config),
    }),
    failureNotifier: createFailureNotifier(notifying),
    skipNotifier: createSkipNotifier(notifying),
    reconnectNotifier: createReconnectNotifier(notifying),
    actionWatcher: createActionWatcher(notifying),
    digestMaker: createDigestMaker(notifying),
    noticeSender: createNoticeSender({ ...services, logger: loggers.upkeep, http, mailers }),
    recordChores: createRecordChores({ database, logger: loggers.upkeep }),
    statisticsCounter: createStatisticsCounter({
      database,
      keptDays: config.statisticsRetentionDays,
      logger: loggers.upkeep,
    }),
    valueIndexer:
      config.runSearchIndex === 'off'
        ? undefined
        : createValueIndexer({
            database,
            secretsOf: createKnownSecrets(services.credentials, loggers.upkeep),
            logger: loggers.upkeep,
          }),
    async close() {
      await underWay.close();
      await groupBuffer.drain();
      await outcomes.drain();
      await afterCommit.drain();
      await guard.drain();
      await ends?.close();
      await outcomes.drain();
      await Promise.all([mailers.close(), http.close(), changes.close(), valueChanges.close()]);
      subscriber.disconnect();
      await services.close();
    },
  };
}

function outboundOptions(config: Config): HttpClientOptions {
  return { ...clientOptions(config), connectionsPerOrigin: jobsAtOnce(config) };
}
