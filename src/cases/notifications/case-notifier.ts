import { loopUntil } from '../../platform/runtime/background-loop.js';
import { deliverDueNotifications, type NotificationDeps } from './deliver-notifications.js';

const BATCH = 20;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

export type CaseNotifier = ReturnType<typeof createCaseNotifier>;

/** Works off the outbox of case notifications; any number of processes may do so at once. */
export function createCaseNotifier(deps: NotificationDeps) {
  const tick = (signal?: AbortSignal): Promise<number> => deliverDueNotifications(deps, BATCH, signal);

  return {
    /** Looks once; gives how many were due. */
    tick,
    /** Looks again and again until `signal` ends. */
    run: (until: AbortSignal): Promise<void> =>
      loopUntil(until, {
        pass: async (signal) => ((await tick(signal)) === BATCH ? 0 : PAUSE_MS),
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'case notifications could not be sent',
        logger: deps.logger,
      }),
  };
}
