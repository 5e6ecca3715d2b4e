import type { Dispatcher } from '../../../engine/face.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { isTransient } from '../../../platform/mysql/db-errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { advanceCanary } from './advance-canary.js';
import { ANY_OPEN_CANARY, findOpenCanaries } from './canary-store.js';

const PAUSE_WHEN_BUSY_MS = 250;
const PAUSE_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 2_000;

export interface CanaryRunnerDeps {
  database: Pick<Database, 'read' | 'transaction' | 'exists'>;
  dispatcher: Pick<Dispatcher, 'dispatch' | 'forgetFailed'>;
  logger: Logger;
}

/** Takes retries that begin with few dead letters on until they end. A pass returns how many run. */
export function createCanaryRunner(deps: CanaryRunnerDeps) {
  const { database, logger } = deps;
  return repeated({
    async tick() {
      if (!(await database.exists(ANY_OPEN_CANARY))) return 0;
      const ids = await database.read(findOpenCanaries);
      for (const id of ids) {
        await advanceCanary(deps, id).catch((error: unknown) => {
          // An outage concerns all of them; a fault of one must not hold up the others.
          if (isTransient(error)) throw error;
          logger.warn('taking a retry of dead letters on failed', { canary: id, error: messageOf(error) });
        });
      }
      return ids.length;
    },
    pauseAfter: (open: number) => (open === 0 ? PAUSE_MS : PAUSE_WHEN_BUSY_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'taking retries of dead letters on failed',
    logger,
  });
}
