import { runnable } from '../../agents/face.js';
import {
  createPendingReasons,
  createReemit,
  createWorkerStats,
  type ReadQueueHealth,
} from '../../engine/face.js';
import {
  createActionLogService,
  createActionUpkeepService,
  createAttemptService,
  createCanaryService,
  createDeadLetterService,
  createEventService,
  createRunSearchService,
  createRunService,
  createRunSubjects,
  createScheduleListService,
  createSentRequestService,
  createStatisticsService,
} from '../../observe/face.js';
import { createArchivedRuns } from '../../operate/face.js';
import { createStoryChanges } from '../../stories/face.js';
import type { CoreServices } from './core-services.js';

export type ObserveServices = ReturnType<typeof createObserveServices>;

/** Creates the services for the endpoints of runs, events and logs. */
export function createObserveServices(core: CoreServices, queueHealth: ReadQueueHealth) {
  const { config, database, redis, graphs, dispatcher, progress, liveEvents, quotas, loggers, archive } =
    core;
  const reemit = createReemit({
    database,
    graphs,
    dispatcher,
    usage: quotas,
    onAwaitedProgress: (guids) => progress.advance(guids),
  });
  const subjects = createRunSubjects({ languages: core.languages });
  return {
    runs: createRunService({
      database,
      graphs,
      dispatcher,
      progress,
      liveEvents,
      changes: createStoryChanges({ redis, prefix: config.queuePrefix, logger: loggers.stores }),
      archived: archive && createArchivedRuns({ database, objects: archive }),
      pendingReasons: createPendingReasons({
        redis,
        queues: core.queues,
        states: queueHealth,
        epoch: () => core.epoch(),
      }),
      newRunGuid: () => core.newRunGuid(),
      runnable,
      subjects,
      quotas,
      meter: core.metrics?.runs,
      admit: (json) => core.credentials.admit(json),
    }),
    runSearch: createRunSearchService({ database, byIndex: config.runSearchIndex === 'on', subjects }),
    statistics: createStatisticsService({ database }),
    events: createEventService({ database, reemit, quotas }),
    actionLogs: createActionLogService({ database }),
    sentRequests: createSentRequestService({ database }),
    attempts: createAttemptService({ database }),
    actionUpkeep: createActionUpkeepService({ database }),
    deadLetters: createDeadLetterService({ database, dispatcher, subjects }),
    canaries: createCanaryService({ database, dispatcher }),
    workerStats: createWorkerStats({ queues: core.queues, redis }),
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
  };
}
