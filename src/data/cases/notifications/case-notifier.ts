import { repeated } from '../../../platform/runtime/background-loop.js';
import { deliverDueNotifications, type NotificationDeps } from './deliver-notifications.js';

const BATCH = 20;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

/**
 * Creates the sender of the case notifications in the outbox. `tick` sends one batch of due ones and returns their number. Any
 * number of processes may run it.
 */
export function createCaseNotifier(deps: NotificationDeps) {
  return repeated({
    tick: (signal) => deliverDueNotifications(deps, BATCH, signal),
    pauseAfter: (sent: number) => (sent === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'could not send case notifications',
    logger: deps.logger,
  });
}
