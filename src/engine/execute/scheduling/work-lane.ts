import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentJobError } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Mentions, TemplateLanguage } from '../../../language/face.js';
import { inTimeSlice, TimeSliceExceeded } from '../../../platform/runtime/time-limit.js';
import { TaskTooLarge, TaskTooLong, ThreadsBusy } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import type { CpuShare, CpuShares } from './cpu-shares.js';
import { createLoopSlices } from './loop-slices.js';
import { NoSlot } from '../slots/story-concurrency.js';
import { textOfOptions } from './thread-scope.js';
import type {
  ResponseWork,
  RenderedInThread,
  RenderWork,
  RoundsInThread,
  RoundsWork,
} from './thread-work.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'render-options': typeof import('./thread-work.js').renderInThread;
    'run-rounds': typeof import('./thread-work.js').roundsInThread;
    'write-response': typeof import('./thread-work.js').redactResponseInThread;
    'find-mentions': typeof import('./thread-work.js').mentionsInThread;
  }
}

/** Longest time of one delivery on the shared event loop (promise 9). */
const MOST_LOOP_MS = 50;
/** A job that waits longer for a thread is handed back. */
const THREAD_WAIT_MS = 60_000;
const MOST_DEBT_WAIT_MS = 10_000;

/** Runs the work of deliveries on the event loop while it is short, otherwise in a thread (decision 0030). */
export interface WorkLane {
  /** Returns true if the work may be tried on the event loop. */
  isFree(share: CpuShare): boolean;
  /** @throws TurnOver if the work takes too long for the event loop; what `work` throws. */
  onLoop<T>(share: CpuShare, work: () => T): T | Promise<T>;
  /** Runs work that needs the event loop, such as sending, once the tenant has time left (`MOST_DEBT_WAIT_MS` at most). */
  onLoopWithinBudget<T>(share: CpuShare, work: () => T): Promise<T>;
  /** @throws NoSlot if no thread is free in time; PermanentJobError for too much time or memory; what the work throws. */
  render(share: CpuShare, work: RenderWork, limits: ThreadLimits): Promise<RenderedInThread>;
  /** @throws the same. */
  runIterations(share: CpuShare, work: RoundsWork, limits: ThreadLimits): Promise<RoundsInThread>;
  /** Returns the event of a large response as JSON text. @throws the same. */
  writeResponse(share: CpuShare, work: ResponseWork, limits: ThreadLimits): Promise<{ text: string }>;
  /** Returns what the templates of these options refer to; cached by object. @throws the same. */
  mentions(
    share: CpuShare,
    options: JsonObject,
    limits: ThreadLimits & { language: TemplateLanguage['name'] },
  ): Promise<Mentions>;
  /** Counts the handling of this many characters on the event loop, before or after it. */
  handled(share: CpuShare, characters: number): void;
}

export interface ThreadLimits {
  deadlineMs: number;
  signal: AbortSignal;
}

export interface WorkLaneDeps {
  shares: CpuShares;
  threads: Pick<ThreadPool, 'run'>;
}

/** Approximate time for copying, serialising and sending. */
const MS_PER_CHARACTER = 0.00001;
const LARGE_CHARACTERS = 64 * 1024;

export function createWorkLane({ shares, threads }: WorkLaneDeps): WorkLane {
  const slices = createLoopSlices();
  const known = new WeakMap<JsonObject, Mentions>();

  const measured = <T>(share: CpuShare, work: () => T): T => {
    const began = performance.now();
    try {
      return work();
    } catch (error) {
      if (error instanceof TimeSliceExceeded) shares.wasTooLong(share);
      throw error;
    } finally {
      shares.spent(share, performance.now() - began);
    }
  };

  /** Work that fails, or is ended at its limit, has cost its time too. */
  const inThread = async <T extends { workedMs: number }>(
    share: CpuShare,
    run: (onBegin: () => void) => Promise<T>,
  ): Promise<T> => {
    let begunAt: number | undefined;
    try {
      const done = await run(() => (begunAt = performance.now()));
      shares.spentInThread(share, done.workedMs);
      return done;
    } catch (error) {
      if (begunAt !== undefined) shares.spentInThread(share, performance.now() - begunAt);
      throw fromThread(error);
    }
  };

  return {
    isFree: (share) => shares.isFree(share),
    onLoop: (share, work) =>
      slices.run(share.tenantId, () => measured(share, () => inTimeSlice(MOST_LOOP_MS, work))),
    async onLoopWithinBudget(share, work) {
      const debtMs = Math.min(shares.debtMs(share.tenantId), MOST_DEBT_WAIT_MS);
      if (debtMs > 0) await sleep(debtMs);
      return slices.run(share.tenantId, () => measured(share, work));
    },
    render(share, work, limits) {
      const options = { tenantId: share.tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      return inThread(share, (onBegin) => threads.run('render-options', work, { ...options, onBegin }));
    },
    runIterations(share, work, limits) {
      const options = { tenantId: share.tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      return inThread(share, (onBegin) => threads.run('run-rounds', work, { ...options, onBegin }));
    },
    writeResponse(share, work, limits) {
      const options = { tenantId: share.tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      return inThread(share, (onBegin) => threads.run('write-response', work, { ...options, onBegin }));
    },
    async mentions({ tenantId }, options, { language, ...limits }) {
      const before = known.get(options);
      if (before !== undefined) return before;
      const input = { options: textOfOptions(options), language };
      const poolOptions = { tenantId, waitMs: THREAD_WAIT_MS, ...limits };
      const found = await threads.run('find-mentions', input, poolOptions).catch((error: unknown) => {
        throw fromThread(error);
      });
      known.set(options, found);
      return found;
    },
    handled(share, characters) {
      if (characters > LARGE_CHARACTERS) shares.spent(share, characters * MS_PER_CHARACTER);
    },
  };
}

/** Returns the delivery's error for an error of the thread pool. */
function fromThread(error: unknown): unknown {
  if (error instanceof ThreadsBusy) return new NoSlot();
  if (error instanceof TaskTooLong) {
    return new PermanentJobError(`The action took longer than ${error.limitMs} ms`, { cause: error });
  }
  if (error instanceof TaskTooLarge) {
    return new PermanentJobError('The action exceeded its memory limit', { cause: error });
  }
  return error;
}
