import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors.js';
import { deliverDueNotifications, type NotificationDeps } from './deliver-notifications.js';

const BATCH = 20;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

export type CaseNotifier = ReturnType<typeof createCaseNotifier>;

/** Works off the outbox of case notifications; any number of processes may do so at once. */
export function createCaseNotifier(deps: NotificationDeps) {
  return {
    /** Looks once; gives how many were due. */
    tick: (signal?: AbortSignal): Promise<number> => deliverDueNotifications(deps, BATCH, signal),

    /** Looks again and again until `signal` ends. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const pause = await deliverDueNotifications(deps, BATCH, signal).then(
          (taken) => (taken === BATCH ? 0 : PAUSE_MS),
          (error: unknown) => {
            deps.logger.warn('case notifications could not be sent', { error: messageOf(error) });
            return PAUSE_AFTER_ERROR_MS;
          },
        );
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
