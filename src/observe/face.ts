/* The only file of this room that others import. */
export { attemptRoutes } from './attempts/attempt-routes.js';
export { createAttemptService } from './attempts/attempt-service.js';
export { attemptFrom } from './attempts/attempt-store.js';
export type { FailedAttempt } from './attempts/attempt.js';
export { forgetImported, type ImportedRows, noteImported } from './backfill/imported-rows-store.js';
export { presentCanary } from './dead-letters/canary/canary-presenter.js';
export { canaryRoutes } from './dead-letters/canary/canary-routes.js';
export { createCanaryRunner } from './dead-letters/canary/canary-runner.js';
export { createCanaryService } from './dead-letters/canary/canary-service.js';
export { deadJobRoutes } from './dead-letters/dead-job-routes.js';
export { MAX_AT_ONCE, MAX_REASON_CHARS } from './dead-letters/dead-letter-params.js';
export { presentDeadLetter } from './dead-letters/dead-letter-presenter.js';
export type { WatchedGroup } from './dead-letters/groups/dead-letter-group.js';
export { errorKindOf } from './dead-letters/groups/error-kind.js';
export { deadLetterRoutes } from './dead-letters/dead-letter-routes.js';
export {
  createDeadLetterService,
  type DeadLetterService,
  type ManyDone,
} from './dead-letters/dead-letter-service.js';
export type { DeadLetter, DeadLetterQuery } from './dead-letters/dead-letter.js';
export { actionEventRoutes } from './events/action-event-routes.js';
export { eventRoutes } from './events/event-routes.js';
export { createEventService } from './events/event-service.js';
export { findPayloads } from './events/event-view-store.js';
export type { EventRecord, EventView } from './events/event.js';
export { infoRoutes } from './info/info-routes.js';
export { actionLogRoutes } from './logs/action-log-routes.js';
export { createActionLogService } from './logs/action-log-service.js';
export { API_LEVELS, apiLevelOf, LOG_SEVERITIES } from './logs/log-levels.js';
export { visibleRunAgent, visibleEvent } from './runs/run-access.js';
export { MAX_SHOWN, type RunDetails } from './runs/run-details.js';
export { findInputId, findRunId, findRunPlace, type RunStory } from './runs/run-place-store.js';
export { runRoutes } from './runs/run-routes.js';
export {
  createRunService,
  type FindArchivedRun,
  requireEntry,
  runEntryOf,
  type RunLookup,
  type Runnable,
  type RunStartDeps,
  startRun,
} from './runs/run-service.js';
export { findRunViews } from './runs/run-view-store.js';
export type { DeliveryView, RunStatus, RunView } from './runs/run.js';
export { findUndone, type Undone } from './runs/undone-delivery-store.js';
export { createScheduleListService } from './schedules/schedule-list-service.js';
export { scheduleRoutes } from './schedules/schedule-routes.js';
export { runSearchRoutes } from './search/run-search-routes.js';
export { createRunSearchService } from './search/run-search-service.js';
export { indexLagSeconds } from './search/values/index-position-store.js';
export { createKnownSecrets } from './search/values/known-secrets.js';
export { createValueIndexer } from './search/values/value-indexer.js';
export { sentRequestRoutes } from './sent-requests/sent-request-routes.js';
export { createSentRequestService } from './sent-requests/sent-request-service.js';
export { createRunSubjects } from './subjects/run-subjects.js';
export { timeOfShare } from './statistics/count/duration-bucket.js';
export { createStatisticsCounter } from './statistics/count/statistics-counter.js';
export { findFreshness } from './statistics/freshness-store.js';
export { listCountedStories } from './statistics/statistics-page-store.js';
export { statisticsRoutes } from './statistics/statistics-routes.js';
export { createStatisticsService } from './statistics/statistics-service.js';
export { sumByStory } from './statistics/statistics-sum-store.js';
export type { TimeRange } from './statistics/statistics.js';
export { sumByType, type TypeHour } from './statistics/type-sum-store.js';
export { streamRoutes } from './stream/stream-routes.js';
export { createStreamService, type StreamService } from './stream/stream-service.js';
export { actionUpkeepRoutes } from './upkeep/action-upkeep-routes.js';
export { createActionUpkeepService } from './upkeep/action-upkeep-service.js';
