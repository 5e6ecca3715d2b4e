import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../db-errors.js';

const GIVE_UP_AFTER_MS = 60_000;
const MAX_PAUSE_MS = 1_000;

/**
 * Retries `work` while the database is unreachable or has lock conflicts, for up to a minute. Only
 * for reads, and for writes that may be repeated. `isPassing` selects the errors to retry; default: all transient ones.
 */
export async function retryTransient<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isTransient,
): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() >= giveUpAt) throw error;
    }
    await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 20 * 2 ** Math.min(attempt, 6)));
  }
}
