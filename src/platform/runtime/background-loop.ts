import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../mysql/db-errors.js';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

/** Work that is done again and again in the background. */
export interface Loop {
  /** Works once; gives how long to rest after it, in ms. The signal is the loop's own. */
  pass(signal: AbortSignal): Promise<number>;
  /** The rest after a pass that failed, in ms. */
  restAfterErrorMs: number;
  /** What a pass that failed means, for the log. */
  failure: string;
  logger: Logger;
}

/**
 * Runs one pass after the other until `signal` ends, which ends a rest at once; the pass under way is waited for. Never
 * rejects: a pass that fails is made again.
 */
export async function loopUntil(signal: AbortSignal, loop: Loop): Promise<void> {
  let told = false;
  while (!signal.aborted) {
    const restMs = await loop.pass(signal).then(
      (rest) => {
        told = false;
        return rest;
      },
      (error: unknown) => {
        const passing = isTransient(error);
        // An outage is told of once, not at each try; what is cut short by the end is no news at all.
        const level = signal.aborted || (passing && told) ? 'debug' : 'warn';
        told = passing;
        loop.logger.log(level, loop.failure, { error: messageOf(error) });
        return loop.restAfterErrorMs;
      },
    );
    await sleep(restMs, undefined, { signal }).catch(() => undefined);
  }
}
