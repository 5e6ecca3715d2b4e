/* The only file of this room that others import. */
export { openArchive } from './archive/archive-place.js';
export { createArchiver } from './archive/archiver.js';
export { createArchivedRuns } from './archive/archived-runs.js';
export { refusedCommands } from './doctor/checks/redis-rights-check.js';
export { doctorRoutes } from './doctor/doctor-routes.js';
export { createDigestMaker } from './monitoring/digest/digest-maker.js';
export { digestRoutes } from './monitoring/digest/digest-routes.js';
export { inboxRoutes } from './monitoring/inbox/inbox-routes.js';
export { createFailureNotifier } from './monitoring/notices/failure-notifier.js';
export { createReconnectNotifier } from './monitoring/notices/reconnect-notifier.js';
export { createSkipNotifier } from './monitoring/notices/skip-notifier.js';
export { createActionWatcher } from './monitoring/notices/watches/action-watcher.js';
export { createNoticeSender } from './monitoring/outbox/notice-sender.js';
export { queueRoutes } from './monitoring/queues/queue-routes.js';
export { statusRoutes } from './monitoring/status/status-routes.js';
export { createOperateServices, type OperateServices } from './operate-services.js';
