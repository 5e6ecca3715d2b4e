import { type Archiver, createArchiver } from '../archive/archiver.js';
import { type CaseNotifier, createCaseNotifier } from '../cases/notifications/case-notifier.js';
import type { Config } from '../config/config.js';
import { createAfterCommit } from '../engine/follow-up/after-commit.js';
import { type CpuShares, createCpuShares } from '../engine/execute/lane/cpu-shares.js';
import { createDeliveryLoader } from '../engine/execute/delivery-loader.js';
import { createEventCache } from '../engine/state/event-cache.js';
import { countCalledRuns, meterOutcomes } from '../engine/commit/meter-outcomes.js';
import { createMeteredShares } from '../engine/execute/lane/metered-shares.js';
import { createOutcomeWriter, type OutcomeWriter } from '../engine/commit/outcome-writer.js';
import { createGroupBuffer } from '../engine/implode/group-buffer.js';
import { createParkedSweeper, type ParkedSweeper } from '../engine/implode/parked-sweeper.js';
import { createRunChainMarks } from '../engine/calls/run-chain-marks.js';
import { createOwnPromptLinks } from '../engine/prompts/own-prompt-links.js';
import { createHandleFailure } from '../engine/dispatch/failure-links.js';
import { createRedisSentinel } from '../engine/recovery/redis-sentinel.js';
import { type ActionWatcher, createActionWatcher } from '../monitoring/notices/action-watcher.js';
import { createFailureNotifier, type FailureNotifier } from '../monitoring/notices/failure-notifier.js';
import { createReconnectNotifier, type ReconnectNotifier } from '../monitoring/notices/reconnect-notifier.js';
import { createSkipNotifier, type SkipNotifier } from '../monitoring/notices/skip-notifier.js';
import { createDigestMaker, type DigestMaker } from '../monitoring/digest/digest-maker.js';
import { createNoticeSender, type NoticeSender } from '../monitoring/outbox/notice-sender.js';
import { createFeeder, type Feeder } from '../engine/dispatch/release-held.js';
import { createGiveUp, type GiveUp } from '../engine/recovery/give-up.js';
import { createRelay, type Relay } from '../engine/recovery/relay.js';
import { createRetention, type Retention } from '../engine/retention/retention-loop.js';
import { periodsOf } from '../engine/retention/retention-steps.js';
import { createJobLog } from '../engine/execute/job-log.js';
import { watchBoth, watchForLog } from '../engine/execute/job-watch.js';
import { createRunDelivery, type RunDelivery } from '../engine/execute/run-delivery.js';
import { createRetryByHand, type RetryByHand } from '../engine/recovery/retry-by-hand.js';
import { createRunEnds } from '../engine/follow-up/run-ends.js';
import { tellOutcomes } from '../engine/follow-up/outcome-news.js';
import { createRunawayGuard } from '../engine/follow-up/runaway-guard.js';
import { newRunGuid } from '../engine/state/run-guid.js';
import { createScheduler, type Scheduler } from '../engine/accept/scheduler.js';
import { createTeamVault } from '../engine/secrets/secret-vault.js';
import { createSpoolDrain, type DrainSpooledRun } from '../engine/accept/spool-drain.js';
import { createWorkLane } from '../engine/execute/lane/work-lane.js';
import { createWorkUnderWay } from '../engine/execute/work-under-way.js';
import type { Logger } from '../platform/logger.js';
import { createMailers } from '../mails/create-mailers.js';
import { clientOptions } from '../config/client-options.js';
import { createHttpClient, type HttpClientOptions } from '../platform/outbound/http-client.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import { baseUrlOf, domainOf } from '../platform/http/own-address.js';
import { type Backlog, createBacklog } from '../engine/dispatch/backlog.js';
import { createJobLookup } from '../engine/dispatch/job-presence.js';
import { jobsAtOnce } from '../engine/dispatch/jobs-at-once.js';
import { createRedis } from '../platform/redis/redis.js';
import { createRecordChores, type RecordChores } from '../records/record-chores.js';
import {
  createStatisticsCounter,
  type StatisticsCounter,
} from '../runs/statistics/count/statistics-counter.js';
import { createKnownSecrets } from '../runs/search/values/known-secrets.js';
import { createValueIndexer, type ValueIndexer } from '../runs/search/values/value-indexer.js';
import { followValueChanges } from '../access/tenants/teams/team-value-changes.js';
import { followStoryChanges } from '../stories/edit/story-changes.js';
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
  feeder: Feeder;
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
  const { services, writer, placing } = createCore(config, logger, { waiting: WAITING_FOR_THREADS });
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
    handleFailure: createHandleFailure({ loader, graphs }),
    onCommitted: (committed, stored) => {
      aftermath.follow(committed, stored);
      guard.follow(committed);
      services.traces?.committed(committed, stored);
      meterOutcomes(committed, services.quotas);
      if (metrics !== undefined) countCalledRuns(committed, metrics.runs);
      ends?.follow(committed);
      tellOutcomes(committed, services.news);
    },
    meter: metrics?.runs,
  });
  const aftermath = createAfterCommit({
    database,
    outcomes,
    loader,
    graphs,
    logger: loggers.upkeep,
    progress,
  });
  const groupsAtHand = createGroupBuffer({ database, outcomes, loader, graphs, logger: loggers.upkeep });
  const guard = createRunawayGuard({
    database,
    graphs,
    limit: config.runEventLimit,
    news: services.news,
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
      outcomes: groupsAtHand,
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
    feeder: createFeeder({ database, dispatcher, placing, logger: loggers.upkeep }),
    relay: createRelay({
      database,
      dispatcher,
      lookup: createJobLookup({ redis, queues, epoch }),
      sentinel: createRedisSentinel({ redis, prefix, queues, epoch, logger: loggers.upkeep }),
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
      await groupsAtHand.drain();
      await outcomes.drain();
      await aftermath.drain();
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
