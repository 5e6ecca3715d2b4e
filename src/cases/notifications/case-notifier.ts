import { loopUntil } from '../../platform/runtime/background-loop.js';
import { deliverDueNotifications, type NotificationDeps } from './deliver-notifications.js';

const BATCH = 20;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

export type CaseNotifier = ReturnType<typeof createCaseNotifier>;

/** Creates the sender of the case notifications in the outbox. Any number of processes may run it. */
export function createCaseNotifier(deps: NotificationDeps) {
  const tick = (signal?: AbortSignal): Promise<number> => deliverDueNotifications(deps, BATCH, signal);

  return {
    /** Sends one batch of due notifications. Returns their number. */
    tick,
    /** Polls the outbox until `until` is aborted. */
    run: (until: AbortSignal): Promise<void> =>
      loopUntil(until, {
        pass: async (signal) => ((await tick(signal)) === BATCH ? 0 : PAUSE_MS),
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'case notifications could not be sent',
        logger: deps.logger,
      }),
  };
}
