import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../mysql/db-errors.js';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

/** Long pauses end at a multiple of this, so that idle loops wake together, and ask their stores together (decision 0077). */
const BEAT_MS = 500;

/** Work that is repeated in the background. */
export interface Loop {
  /** Runs one pass; returns the pause after it, in ms; one of a beat or more ends at a beat. The signal is the loop's own. */
  pass(signal: AbortSignal): Promise<number>;
  /** The pause after a failed pass, in ms. */
  restAfterErrorMs: number;
  /** The log message of a failed pass. */
  failure: string;
  logger: Logger;
}

/**
 * Runs one pass after another until `signal` aborts, which ends a pause at once; a running pass is awaited. Never
 * rejects: after a failed pass the next one follows.
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
        // An outage is logged once, not on each pass; a pass interrupted by the shutdown is not worth a warning.
        const level = signal.aborted || (passing && told) ? 'debug' : 'warn';
        told = passing;
        loop.logger.log(level, loop.failure, { error: messageOf(error) });
        return loop.restAfterErrorMs;
      },
    );
    await sleep(untilBeat(restMs), undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the time until the beat that is next to the end of a pause, in ms; a shorter pause is kept. */
function untilBeat(restMs: number): number {
  if (restMs < BEAT_MS) return restMs;
  const now = performance.now();
  return Math.ceil(Math.round((now + restMs) / BEAT_MS) * BEAT_MS - now);
}

/** Work of a loop, of which each pass is a `tick`. */
export interface RepeatedWork<Done> extends Omit<Loop, 'pass'> {
  tick(signal?: AbortSignal): Promise<Done>;
  /** Returns the pause after a tick, in ms. */
  pauseAfter(done: Done): number;
}

/** Returns `tick`, which works once, and `run`, which repeats it until the signal aborts. */
export function repeated<Done>(work: RepeatedWork<Done>) {
  const tick = (signal?: AbortSignal): Promise<Done> => work.tick(signal);
  return {
    tick,
    run: (until: AbortSignal): Promise<void> =>
      loopUntil(until, { ...work, pass: async (signal) => work.pauseAfter(await tick(signal)) }),
  };
}
