import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { type Backlog, partName, type QueuePart } from '../../engine/face.js';

/** A worker, as far as it shows its progress. */
export interface Progressing {
  /** The part of a queue whose jobs it takes. */
  part: QueuePart;
  /** Number of jobs started so far. */
  started(): number;
  /** Whether the worker could start another job now. */
  hasFreeSlot(): boolean;
}

export interface ProgressWatchOptions {
  /** Looked at again at each check: a process opens workers of more parts. */
  workers: readonly Progressing[];
  backlog: Backlog;
  /** How long jobs may wait while a worker with free slots starts none. */
  stallMs: number;
  /** Called once, with the names of the stalled parts of queues. */
  onStall(queues: string[]): void;
  logger: Logger;
}

/** Checks within `stallMs`: a single check without progress proves nothing. */
const LOOKS = 10;
/** While a part is empty, this many checks pass between two questions to Redis. */
const EMPTY_LOOKS = 4;

/**
 * Checks that waiting jobs are started (promise 7), until the signal aborts or a part of a queue stalls. Counts checks instead of
 * time, so that a process that was suspended for a while does not count as stalled. After an empty part was found, it takes up to
 * 1.4 times `stallMs`.
 */
export async function watchProgress(options: ProgressWatchOptions, signal: AbortSignal): Promise<void> {
  const idleLooks = new Map<string, number>();
  const startedBefore = new Map<string, number>();
  const sparse = { ...options, backlog: askRarely(options.backlog) };
  while (!signal.aborted) {
    await sleep(options.stallMs / LOOKS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    for (const worker of options.workers) {
      const name = partName(worker.part);
      const idle = await standsStill(worker, startedBefore.get(name), sparse);
      startedBefore.set(name, worker.started());
      idleLooks.set(name, idle ? (idleLooks.get(name) ?? 0) + 1 : 0);
    }
    const stalled = [...idleLooks].filter(([, looks]) => looks >= LOOKS).map(([name]) => name);
    if (stalled.length === 0) continue;
    options.onStall(stalled);
    return;
  }
}

/** Whether jobs wait, although the worker has a free slot and started none since the last check. */
async function standsStill(
  worker: Progressing,
  startedBefore: number | undefined,
  { backlog, logger }: ProgressWatchOptions,
): Promise<boolean> {
  if (worker.started() !== startedBefore || !worker.hasFreeSlot()) return false;
  try {
    return (await backlog(worker.part)) > 0;
  } catch (error) {
    // Redis is unreachable: no process can take jobs, so a new one would not help.
    logger.debug('could not determine progress', { queue: partName(worker.part), error: messageOf(error) });
    return false;
  }
}

/** Takes a part that was found empty for empty in the next checks, without asking. */
function askRarely(backlog: Backlog): Backlog {
  const unasked = new Map<string, number>();
  return async (part) => {
    const name = partName(part);
    const left = unasked.get(name) ?? 0;
    unasked.set(name, left - 1);
    if (left > 0) return 0;
    const waiting = await backlog(part);
    unasked.set(name, waiting === 0 ? EMPTY_LOOKS : 0);
    return waiting;
  };
}
