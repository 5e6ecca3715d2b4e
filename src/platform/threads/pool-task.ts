import type { Transferable } from 'node:worker_threads';
import { TimeLimit } from '../runtime/time-limit.js';
import type { OnAsk, PoolThread } from './pool-thread.js';
import { TaskFailed, TaskTooLong, ThreadsBusy } from './thread-errors.js';
import type { ThreadOrder } from './thread-main.js';

/** A thread that has not started by then never will. */
const START_LIMIT_MS = 60_000;
/** A task that gets no CPU is ended anyway after this multiple of its limit. */
const MOST_LIMITS = 10;

export interface PoolTaskOptions {
  tenantId: number;
  bytes?: number;
  deadlineMs: number;
  waitMs: number;
  signal: AbortSignal | undefined;
  transfer: readonly Transferable[];
  /** Called when a thread begins with it. */
  onBegin?: () => void;
  onAsk?: OnAsk | undefined;
}

/** One task of the pool, from its wait to its end. */
export interface PoolTask {
  tenantId: number;
  bytes: number;
  /** The task's result. */
  output: Promise<unknown>;
  /** Runs it on `thread`. Returns the function that settles `output`, when the thread is free again or has ended. */
  workOn(thread: PoolThread): Promise<() => void>;
  /** For how long it has run, or ran: ms since it began in its thread. */
  runMs(): number;
  /** Ends it with this error, whether it waits or runs. */
  stop(error: unknown): void;
}

export function createPoolTask(order: ThreadOrder, options: PoolTaskOptions): PoolTask {
  const { tenantId, bytes = 0, deadlineMs, waitMs, signal, transfer } = options;
  let settle: Settle | undefined;
  const output = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject };
  });
  let thread: PoolThread | undefined;
  let begunAt: number | undefined;
  let ranMs: number | undefined;
  let stopped: { error: unknown } | undefined;

  const stop = (error: unknown) => {
    stopped ??= { error };
    if (thread === undefined) end(() => settle?.reject(error))();
    else void thread.end();
  };
  /** After this nothing can stop the task any more. */
  const end = (how: () => void) => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    return how;
  };
  const onAbort = () => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let timer = setTimeout(() => stop(new ThreadsBusy()), waitMs);
  const watch = (error: Error, limitMs: number) => {
    clearTimeout(timer);
    timer = watchTime(limitMs, { setTimer: (next) => (timer = next), onOver: () => stop(error) });
  };

  return {
    tenantId,
    bytes,
    output,
    stop,
    runMs: () => ranMs ?? (begunAt === undefined ? 0 : performance.now() - begunAt),
    async workOn(given) {
      thread = given;
      watch(new TaskFailed('The thread did not start'), START_LIMIT_MS);
      const onBegin = () => {
        begunAt = performance.now();
        watch(new TaskTooLong(order.name, deadlineMs), deadlineMs);
        options.onBegin?.();
      };
      try {
        const value = await given.run(order, { transfer, onBegin, onAsk: options.onAsk });
        return end(() => settle?.resolve(value));
      } catch (error) {
        return end(() => settle?.reject(stopped === undefined ? error : stopped.error));
      } finally {
        ranMs = begunAt === undefined ? 0 : performance.now() - begunAt;
      }
    },
  };
}

interface Settle {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Calls `onOver` when the process has used `limitMs` of CPU time: a suspended one has not taken too long (decision 0029). */
function watchTime(
  limitMs: number,
  { setTimer, onOver }: { setTimer: (timer: NodeJS.Timeout) => void; onOver: () => void },
): NodeJS.Timeout {
  const limit = new TimeLimit(limitMs);
  const lastAt = performance.now() + limitMs * MOST_LIMITS;
  const look = () => {
    if (limit.isOver() || performance.now() > lastAt) onOver();
    else setTimer(setTimeout(look, Math.max(1, limit.leftMs())));
  };
  return setTimeout(look, limitMs);
}
