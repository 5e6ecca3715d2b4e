import { runnable } from '../../agents/face.js';
import {
  createArchivedRuns,
  createDigestService,
  createDoctorService,
  createQueueListService,
  createStatusService,
} from '../../operate/face.js';
import {
  createActionLogService,
  createActionUpkeepService,
  createDeadLetterService,
  createEventService,
  createRunSearchService,
  createRunService,
  createScheduleListService,
  createSentRequestService,
  createStatisticsService,
} from '../../observe/face.js';
import { foreignKeyOf } from '../../data/face.js';
import { createReemit, createWorkerStats } from '../../engine/face.js';
import { createActionRunService, createPreviewService } from '../../trial/face.js';
import type { TrialServices } from './trial-services.js';
import { domainOf } from '../../config/face.js';
import type { CoreServices } from './core-services.js';
import { createStoryChanges } from '../../stories/face.js';

export type RunServices = ReturnType<typeof createRunServices>;

/** Creates the services for the endpoints of runs, events and logs. */
export function createRunServices(
  core: CoreServices,
  { tryAction, trials }: Pick<TrialServices, 'tryAction' | 'trials'>,
) {
  const { config, database, redis, graphs, dispatcher, progress, liveEvents, quotas, loggers, archive } =
    core;
  const reemit = createReemit({
    database,
    graphs,
    dispatcher,
    usage: quotas,
    onAwaitedProgress: (guids) => progress.advance(guids),
  });
  const events = createEventService({ database, reemit, quotas });
  return {
    runs: createRunService({
      database,
      graphs,
      dispatcher,
      progress,
      liveEvents,
      changes: createStoryChanges({ redis, prefix: config.queuePrefix, logger: loggers.stores }),
      archived: archive && createArchivedRuns({ database, objects: archive }),
      newRunGuid: () => core.newRunGuid(),
      runnable,
      quotas,
      meter: core.metrics?.runs,
      admit: (json) => core.credentials.admit(json),
    }),
    runSearch: createRunSearchService({ database, byIndex: config.runSearchIndex === 'on' }),
    statistics: createStatisticsService({ database }),
    events,
    previews: createPreviewService({
      database,
      graphs,
      values: core.values,
      threads: core.threads,
      quotas,
      domain: domainOf(config),
    }),
    actionLogs: createActionLogService({ database }),
    sentRequests: createSentRequestService({ database }),
    actionRuns: createActionRunService({
      database,
      graphs,
      dispatcher,
      liveEvents,
      starter: core.runs,
      tryAction,
      newRunGuid: () => core.newRunGuid(),
      runnable,
      quotas,
      meter: core.metrics?.runs,
      admit: (json) => core.credentials.admit(json),
    }),
    actionUpkeep: createActionUpkeepService({ database }),
    deadLetters: createDeadLetterService({ database, dispatcher }),
    trials,
    workerStats: createWorkerStats({ queues: core.queues, redis }),
    status: createStatusService({
      database,
      redis,
      queues: core.queues,
      prefix: config.queuePrefix,
      spoolLevel: () => core.spoolLevel(),
      foreignKey: () => foreignKeyOf(core),
    }),
    queueList: createQueueListService({
      database,
      redis,
      queues: core.queues,
      prefix: config.queuePrefix,
      logger: loggers.stores,
    }),
    schedules: createScheduleListService({
      database,
      changes: createStoryChanges({
        redis,
        prefix: config.queuePrefix,
        logger: loggers.stores,
        liveEvents,
      }),
      nowMs: () => core.nowMs(),
    }),
    digests: createDigestService({ database, nowMs: () => core.nowMs() }),
    doctor: createDoctorService({ config, database, redis, queues: core.queues }),
  };
}
