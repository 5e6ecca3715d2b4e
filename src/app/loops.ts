import { baseUrlOf, mailedConsoleUrl } from '../config/face.js';
import { createCaseNotifier, createRecordChores, type TenantMailers } from '../data/face.js';
import {
  createHeldJobReleaser,
  createJobLookup,
  createParkedSweeper,
  createRedisLossDetector,
  createRelay,
  createRetentionLoop,
  createScheduler,
  type DeliveryLoader,
  type OutcomeWriter,
  periodsOf,
} from '../engine/face.js';
import {
  createCanaryRunner,
  createKnownSecrets,
  createStatisticsCounter,
  createValueIndexer,
} from '../observe/face.js';
import {
  createActionWatcher,
  createArchiver,
  createDigestMaker,
  createFailureNotifier,
  createNoticeSender,
  createReconnectNotifier,
  createSkipNotifier,
} from '../operate/face.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import { createRepositorySyncs } from '../stories/face.js';
import { createJudge, createShadowRunner } from '../trial/face.js';
import { THREAD_FILE } from './thread-file.js';
import type { createCore } from './services/core-services.js';

export interface LoopDeps extends Pick<ReturnType<typeof createCore>, 'services' | 'admission'> {
  http: Pick<HttpClient, 'request'>;
  mailers: TenantMailers;
  outcomes: OutcomeWriter;
  loader: DeliveryLoader;
}

export type Loops = ReturnType<typeof createLoops>;

/**
 * THE list of background loops: of the processes that serve maintenance, one runs all of them (`runMaintenance`). How often
 * each passes stands in its own file. Undefined: the configuration turns it off.
 */
export function createLoops({ services, admission, http, mailers, outcomes, loader }: LoopDeps) {
  const { config, database, redis, queues, dispatcher, metrics, graphs } = services;
  const epoch = () => services.epoch();
  const logger = services.loggers.upkeep;
  const baseUrl = baseUrlOf(config);
  const notifying = { database, baseUrl, consoleUrl: mailedConsoleUrl(config), logger };
  return {
    relay: createRelay({
      database,
      dispatcher,
      lookup: createJobLookup({ redis, queues, epoch }),
      lossDetector: createRedisLossDetector({ redis, prefix: config.queuePrefix, queues, epoch, logger }),
      onRequeued: (count) => metrics?.requeued(count),
      logger,
    }),
    heldJobReleaser: createHeldJobReleaser({ database, dispatcher, admission, logger }),
    canaryRunner: createCanaryRunner({ database, dispatcher, logger }),
    parkedSweeper: createParkedSweeper({ database, outcomes, loader, graphs, logger }),
    scheduler: createScheduler({ ...services, logger, meter: metrics?.runs }),
    caseNotifier: createCaseNotifier({ ...services, logger, http, mailers, baseUrl }),
    failureNotifier: createFailureNotifier(notifying),
    skipNotifier: createSkipNotifier(notifying),
    reconnectNotifier: createReconnectNotifier(notifying),
    actionWatcher: createActionWatcher(notifying),
    digestMaker: createDigestMaker(notifying),
    noticeSender: createNoticeSender({ ...services, logger, http, mailers }),
    recordChores: createRecordChores({ database, logger }),
    retention: createRetentionLoop({
      database,
      periods: periodsOf(config),
      onlyArchived: services.archive !== undefined,
      onFinished: (began) => metrics?.instruments.retentionFinished.set(began.getTime() / 1000),
      logger,
    }),
    repositorySyncs: createRepositorySyncs({ ...services, judge: createJudge(services), logger }),
    shadowRunner: createShadowRunner({ ...services, threadFile: THREAD_FILE, logger }),
    statisticsCounter: createStatisticsCounter({
      database,
      keptDays: config.statisticsRetentionDays,
      logger,
    }),
    valueIndexer:
      config.runSearchIndex === 'off'
        ? undefined
        : createValueIndexer({
            database,
            secretsOf: createKnownSecrets(services.credentials, logger),
            logger,
          }),
    archiver:
      services.archive &&
      createArchiver({
        database,
        objects: services.archive,
        afterHours: config.archiveAfterHours,
        logger,
      }),
  };
}
