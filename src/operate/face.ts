/* The only file of this room that others import. */
export { openArchive } from './archive/archive-place.js';
export { type Archiver, createArchiver } from './archive/archiver.js';
export { createArchivedRuns } from './archive/archived-runs.js';
export { refusedCommands } from './doctor/checks/redis-rights-check.js';
export { doctorRoutes } from './doctor/doctor-routes.js';
export { createDoctorService } from './doctor/doctor-service.js';
export { createDigestMaker, type DigestMaker } from './monitoring/digest/digest-maker.js';
export { digestRoutes } from './monitoring/digest/digest-routes.js';
export { createDigestService } from './monitoring/digest/digest-service.js';
export { createFailureNotifier, type FailureNotifier } from './monitoring/notices/failure-notifier.js';
export { createReconnectNotifier, type ReconnectNotifier } from './monitoring/notices/reconnect-notifier.js';
export { createSkipNotifier, type SkipNotifier } from './monitoring/notices/skip-notifier.js';
export { type ActionWatcher, createActionWatcher } from './monitoring/notices/watches/action-watcher.js';
export { createNoticeSender, type NoticeSender } from './monitoring/outbox/notice-sender.js';
export { createQueueListService } from './monitoring/queues/queue-list-service.js';
export { queueRoutes } from './monitoring/queues/queue-routes.js';
export { statusRoutes } from './monitoring/status/status-routes.js';
export { createStatusService } from './monitoring/status/status-service.js';
