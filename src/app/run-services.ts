import { runnable } from '../agents/index.js';
import { createArchivedRuns } from '../archive/archived-runs.js';
import { createDeadLetterService } from '../runs/dead-letters/dead-letter-service.js';
import { foreignKeyOf } from '../credentials/installation-key.js';
import { createDoctorService } from '../doctor/doctor-service.js';
import { createReemit } from '../engine/commit/reemit.js';
import { createActionRunService } from '../runs/actions/action-run-service.js';
import { createDigestService } from '../monitoring/digest/digest-service.js';
import { createQueueListService } from '../monitoring/queues/queue-list-service.js';
import { createStatusService } from '../monitoring/status/status-service.js';
import type { TrialServices } from './trial-services.js';
import { createActionUpkeepService } from '../runs/actions/action-upkeep-service.js';
import { createActionLogService } from '../runs/logs/action-log-service.js';
import { createSentRequestService } from '../runs/sent-requests/sent-request-service.js';
import { createEventService } from '../runs/events/event-service.js';
import { createRunService } from '../runs/run-service.js';
import { createWorkerStats } from '../engine/dispatch/worker-stats.js';
import { createRunSearchService } from '../runs/search/run-search.js';
import { createScheduleListService } from '../runs/schedules/schedule-list-service.js';
import { createStatisticsService } from '../runs/statistics/statistics-service.js';
import { createPreviewService } from '../runs/previews/preview-service.js';
import { domainOf } from '../platform/http/own-address.js';
import type { CoreServices } from './core-services.js';
import { createStoryChanges } from '../stories/edit/story-changes.js';

export type RunServices = ReturnType<typeof createRunServices>;

/** Creates the services for the endpoints of runs, events and logs. */
export function createRunServices(
  core: CoreServices,
  { tryAction, trials }: Pick<TrialServices, 'tryAction' | 'trials'>,
) {
  const { config, database, redis, graphs, dispatcher, progress, news, quotas, loggers, archive } = core;
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
      news,
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
      events,
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
      news,
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
    schedules: createScheduleListService({ database, nowMs: () => core.nowMs() }),
    digests: createDigestService({ database, nowMs: () => core.nowMs() }),
    doctor: createDoctorService({ config, database, redis, queues: core.queues }),
  };
}
