import type { Database } from '../../platform/mysql/database.js';
import { ANY_HELD, lockHeld, passOver, releaseHeld } from './held-store.js';
import type { Logger } from '../../platform/logger.js';
import { repeated } from '../../platform/runtime/background-loop.js';
import type { Dispatcher } from './adding/dispatcher.js';
import type { Admission } from './admission.js';

const BATCH = 500;
const PAUSE_WHEN_BUSY_MS = 20;
const PAUSE_WHEN_FULL_MS = 100;
const PAUSE_MS = 500;
const PAUSE_AFTER_ERROR_MS = 2_000;

export interface HeldJobReleaserDeps {
  database: Database;
  dispatcher: Pick<Dispatcher, 'addPlaced'>;
  admission: Admission;
  logger: Logger;
}

/**
 * Adds jobs for held deliveries once their stories have room, each story in its turn (rule 19). It polls the database
 * instead of using jobs, so that it does not need Redis.
 */
export interface HeldJobReleaser {
  /** Runs one pass; returns the number of held deliveries and how many of them got a job. */
  tick(): Promise<{ held: number; fed: number }>;
  /** Repeats passes until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createHeldJobReleaser(deps: HeldJobReleaserDeps): HeldJobReleaser {
  const tick = async () => {
    if (!(await deps.database.exists(ANY_HELD))) return { held: 0, fed: 0 };
    const { go, held } = await deps.database.transaction(async (session) => {
      const placed = await deps.admission.place(await lockHeld(session, BATCH));
      await releaseHeld(
        session,
        placed.go.map(({ deliveryId }) => deliveryId),
      );
      await passOver(
        session,
        placed.held.map(({ deliveryId }) => deliveryId),
      );
      return placed;
    });
    // If this process dies here, the relay adds the jobs.
    await deps.dispatcher.addPlaced(go);
    return { held: go.length + held.length, fed: go.length };
  };

  return repeated({
    tick,
    pauseAfter,
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'releasing held deliveries failed',
    logger: deps.logger,
  });
}

function pauseAfter({ held, fed }: { held: number; fed: number }): number {
  if (held === 0) return PAUSE_MS;
  return fed > 0 ? PAUSE_WHEN_BUSY_MS : PAUSE_WHEN_FULL_MS;
}
