import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../src/platform/errors.js';
import type { Logger } from '../src/platform/logger.js';
import type { Backlog } from '../src/engine/dispatch/backlog.js';
import type { QueueName } from '../src/engine/dispatch/jobs.js';

/** A queue's worker as far as progress goes. */
export interface Progressing {
  name: QueueName;
  /** Jobs it has begun so far. */
  started(): number;
  /** Whether it could take another one now. */
  hasFreeSlot(): boolean;
}

export interface ProgressWatchOptions {
  workers: readonly Progressing[];
  backlog: Backlog;
  /** For so long jobs may wait while a worker with free slots takes none. */
  stallMs: number;
  /** Told once, with the queues that stand still. */
  onStall(queues: QueueName[]): void;
  logger: Logger;
}

/** Looks made in the time of a stall: a moment without a job says nothing. */
const LOOKS = 10;

/**
 * Watches that jobs that wait are taken (promise 7), until the signal ends or a queue stands still. Time is
 * counted in looks, so that a process that was stopped for a while is not taken for one that stood still.
 */
export async function watchProgress(options: ProgressWatchOptions, signal: AbortSignal): Promise<void> {
  const idleLooks = new Map<QueueName, number>();
  const startedBefore = new Map<QueueName, number>();
  while (!signal.aborted) {
    await sleep(options.stallMs / LOOKS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    for (const worker of options.workers) {
      const idle = await standsStill(worker, startedBefore.get(worker.name), options);
      startedBefore.set(worker.name, worker.started());
      idleLooks.set(worker.name, idle ? (idleLooks.get(worker.name) ?? 0) + 1 : 0);
    }
    const stalled = [...idleLooks].filter(([, looks]) => looks >= LOOKS).map(([name]) => name);
    if (stalled.length === 0) continue;
    options.onStall(stalled);
    return;
  }
}

/** Whether jobs wait although none was begun since the last look and there is room for one. */
async function standsStill(
  worker: Progressing,
  startedBefore: number | undefined,
  { backlog, logger }: ProgressWatchOptions,
): Promise<boolean> {
  if (worker.started() !== startedBefore || !worker.hasFreeSlot()) return false;
  try {
    return (await backlog(worker.name)) > 0;
  } catch (error) {
    // Redis is away: nobody can take jobs, and a new process could not either.
    logger.debug('progress is not known', { queue: worker.name, error: messageOf(error) });
    return false;
  }
}
