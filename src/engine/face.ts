/* The only file of this room that others import. */
export { isDenied } from './accept/redis-replies.js';
export type { RunStarter } from './accept/run-starter.js';
export { createScheduler } from './accept/scheduler.js';
export { createSpoolDrain, type DrainSpooledRun, SPOOLED_TOGETHER } from './accept/spool-drain.js';
export { createSpoolQuota, type SpoolLevel, type SpoolQuota } from './accept/spool-quota.js';
export { afterCall } from './calls/call-results.js';
export { createRunChainMarks, RUN_CHAIN_HEADER, type RunChainMarks } from './calls/run-chain-marks.js';
export { clearAgentMemory } from './commit/claims/clear-memory.js';
export { claimDigests, judgeDuplicates } from './commit/claims/settle-duplicates.js';
export { settledBy, toStoryRecord } from './commit/claims/settle-claims.js';
export { passAt, takeSlots, type ThrottleState } from './commit/claims/settle-throttled.js';
export { toDeliveries, toEvents, toItems, toTokens, toUpdate } from './commit/outcome-rows.js';
export type { OutcomeWriter } from './commit/outcome-writer.js';
export { createReemit } from './commit/reemit.js';
export type { Stored } from './commit/store-outputs.js';
export type { Dispatcher } from './dispatch/adding/dispatcher.js';
export { type EmissionDeps, receiversOf } from './dispatch/adding/emission.js';
export { createFailureLinks, failureOf, hasFailureReceiver } from './dispatch/adding/failure-links.js';
export { createJobLookup } from './dispatch/adding/job-lookup.js';
export { jobsAtOnce, jobsOfPart } from './dispatch/adding/jobs-at-once.js';
export { createJobSampler, KEPT_JOBS_NOTE, keptJobs } from './dispatch/adding/job-sampler.js';
export { type Backlog, createBacklog } from './dispatch/figures/backlog.js';
export {
  giveSigns,
  type LiveProcesses,
  processName,
  readProcesses,
  type SignDeps,
  type SilentProcess,
} from './dispatch/figures/live-processes.js';
export {
  createPendingReasons,
  type ReadPendingReasons,
} from './dispatch/figures/pending-reasons.js';
export { type QueueFigures, readQueueFigures } from './dispatch/figures/queue-figures.js';
export { MINUTES, type QueueMinutes, readQueueMinutes } from './dispatch/figures/queue-minutes.js';
export {
  createQueueHealth,
  type QueueHealth,
  type QueueHealths,
  type ReadQueueHealth,
} from './dispatch/figures/queue-health.js';
export {
  createWorkerStats,
  type LiveQueueWorkers,
  readQueueWorkers,
  type ReadWorkerStats,
} from './dispatch/figures/worker-stats.js';
export { workerName } from './dispatch/figures/worker-names.js';
export { type QueueName, QUEUES, SPOOL_QUEUE, type SpooledRun } from './dispatch/jobs.js';
export { bullPrefix, partName, type QueuePart, SPOOL } from './dispatch/parts/queue-part.js';
export { notePause, noteResume, type PausedQueue } from './dispatch/queue-pauses.js';
export { createQueues, partsByQueue, type Queues } from './dispatch/queues.js';
export { createHeldJobReleaser } from './dispatch/held-job-releaser.js';
export { callAgent } from './execute/call/call-agent.js';
export type { AgentCall, CallDeps, Work } from './execute/call/call.js';
export { createJobLog } from './execute/call/job-log.js';
export { StoredMailProgress } from './execute/call/mail-progress.js';
export { Cancellation } from './execute/cancellation.js';
export { createDeliveryLoader, type DeliveryLoader } from './execute/delivery-loader.js';
export type { DeliverySummary } from './execute/delivery-summary.js';
export { type JobWatch, watchBoth, watchForLog } from './execute/job-watch.js';
export { type CpuShares, createCpuShares } from './execute/scheduling/cpu-shares.js';
export { createMeteredShares } from './execute/scheduling/metered-shares.js';
export { createWorkLane } from './execute/scheduling/work-lane.js';
export {
  type ActionMeter,
  type ActionOutcome,
  createRunDelivery,
  isDeliveryJob,
  JobTaken,
  type RunDelivery,
} from './execute/run-delivery.js';
export { createStoryConcurrency, NoSlot, type StoryConcurrency } from './execute/slots/story-concurrency.js';
export { causeOf } from './execute/failure-cause.js';
export { toOutcome, undone } from './execute/to-outcome.js';
export { createWorkUnderWay } from './execute/work-under-way.js';
export { mayEndRun } from './follow-up/after-commit.js';
export { joinGroup } from './implode/complete-groups.js';
export { createParkedSweeper, givenUp } from './implode/parked-sweeper.js';
export { createLiveEvents } from './live/live-events.js';
export { createOwnPromptLinks, promptSecretOf } from './prompts/own-prompt-links.js';
export { createPromptClicks, type PromptClicks } from './prompts/prompt-clicks.js';
export { createPromptLinks } from './prompts/prompt-links.js';
export { confirmPage, outcomePage, type PromptPage } from './prompts/prompt-pages.js';
export {
  asDeadLetter,
  deleteDeadLetters,
  type DeadLetterRef,
  reviveDeadLetters,
} from './recovery/dead-letter-store.js';
export { createGiveUp, createIsCurrent, type GiveUp, type IsCurrent } from './recovery/give-up.js';
export { createRedisLossDetector } from './recovery/redis-loss-detector.js';
export { createRelay, createRelayWatch } from './recovery/relay.js';
export { createRetryByHand, type RetryByHand } from './recovery/retry-by-hand.js';
export { createTakeOver } from './recovery/take-over.js';
export { createWorkerBeats, type WorkerBeats } from './recovery/worker-beats.js';
export { finishRemoval } from './retention/finish-removal.js';
export {
  countedKinds,
  emptyTally,
  type RetentionKind,
  type RetentionTally,
} from './retention/retention-kind.js';
export { createRetentionLoop, type Retention } from './retention/retention-loop.js';
export { periodsOf } from './retention/retention-steps.js';
export { type RemovalKind, requestRemoval } from './retention/stores/removal-store.js';
export type { OpenedSecrets } from './secrets/opened-secrets.js';
export { createRedactor } from './secrets/redaction/redactor.js';
export { createRequestSender } from './secrets/secret-senders.js';
export {
  createMarkedSecrets,
  createMarkedVault,
  createSecretVault,
  createTeamVault,
  type SecretVault,
} from './secrets/secret-vault.js';
export type { Secret, TeamSecrets } from './secrets/team-secrets.js';
export {
  byNameAndSlug,
  type CachedTeamValues,
  createTeamValuesLoader,
  keep,
} from './secrets/team-values-loader.js';
export { usesTestValues } from './secrets/uses-test-values.js';
export { findCallingRun, type StoryCall } from './state/deliveries/call-store.js';
export { countByState, overdueSeconds } from './state/deliveries/delivery-figures-store.js';
export type { DeliveryJob } from './state/deliveries/delivery-job.js';
export {
  type DeliveryRow,
  type DeliveryState,
  type DeliveryUpdate,
  GRACE_SECONDS,
  type NewDelivery,
} from './state/deliveries/delivery-store.js';
export {
  WAIT_REASON_SQL,
  WAIT_REASON_TEXT,
  WAIT_REASONS,
  type WaitReason,
} from './state/deliveries/wait-reason.js';
export {
  type GroupMember,
  type ImplodeItem,
  isPartial,
  movedGroupKey,
} from './state/deliveries/implode-store.js';
export { type CachedEvent, createEventCache } from './state/events/event-cache.js';
export type { NewEvent } from './state/events/event-store.js';
export { errorOfLine } from './state/events/attempt-line.js';
export type { KeptResponse } from './state/events/kept-response.js';
export type { SentRequest } from './state/events/sent-request.js';
export {
  type ClaimOutcome,
  type Committed,
  deadLetter,
  type DoneOutcome,
  type EventBranch,
  type Outcome,
  type ParkedOutcome,
  type Receiver,
  type SettledOutcome,
  type StoredOutput,
  type UndoneOutcome,
} from './state/outcome.js';
export { cancelRun } from './state/runs/cancel-run.js';
export { createIdempotencyKeys, type IdempotencyKeys } from './state/runs/idempotency-keys.js';
export { newRunGuid, runStartOf } from './state/runs/run-guid.js';
export {
  createRunNotifications,
  readResponseMessage,
  responseChannel,
  type RunNotifications,
} from './state/runs/run-notifications.js';
export type { RunMeter } from './state/runs/run-store.js';
export { insertStarts, type NewStart } from './state/runs/start-store.js';
export { summarizeWork, type WorkSummary } from './state/runs/work-summary-store.js';
export { createOutcomeServices } from './follow-up/outcome-services.js';
export { createAccepting } from './accept/create-accepting.js';
export { createDispatching } from './dispatch/create-dispatching.js';
