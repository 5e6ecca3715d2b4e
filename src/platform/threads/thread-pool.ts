import type { Transferable } from 'node:worker_threads';
import { createFairQueue, type QueueBounds } from './fair-queue.js';
import { createPoolTask, type PoolTask } from './pool-task.js';
import { createThreads, type ThreadsOptions } from './threads-at-hand.js';
import type { ThreadOrder } from './thread-main.js';
import type { TASKS } from '../../app/thread-tasks.js';
import { ThreadsBusy } from './thread-errors.js';

/** A list of tasks, such as `TASKS`: each name with what loads the task. */
export type TaskTable = Record<string, () => (input: never) => unknown>;
type TaskOf<Tasks extends TaskTable, Name extends keyof Tasks> = ReturnType<Tasks[Name]>;

export interface RunOptions {
  /** Whose work it is: tenants take turns, and one has at most half of the threads. */
  tenantId: number;
  /** How long the task may work, in ms, from when it begins. */
  deadlineMs: number;
  /** What the input holds of memory, where that is much: so much of one tenant may wait. */
  bytes?: number;
  /** How long it may wait for a thread, in ms. */
  waitMs?: number;
  /** Nobody needs the output any more: the task is ended. */
  signal?: AbortSignal | undefined;
  /** What of the input is handed over rather than copied. */
  transfer?: readonly Transferable[];
}

/** A few threads beside the event loop, for work that would hold it for long (decision 0029). */
export interface ThreadPool<Tasks extends TaskTable = typeof TASKS> {
  /**
   * What the task makes of `input`; both go through a structured clone.
   * @throws what the task throws, of the same class if it is one of ours, else TaskFailed; TaskTooLong, TaskTooLarge; ThreadsBusy when
   * too much waits already or no thread became free in time; the signal's reason.
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<TaskOf<Tasks, Name>>[0],
    options: RunOptions,
  ): Promise<Awaited<ReturnType<TaskOf<Tasks, Name>>>>;
  /** Ends all threads; what is under way or waits fails with ThreadsBusy. */
  close(): Promise<void>;
}

export interface ThreadPoolOptions extends ThreadsOptions {
  /** At most so many threads. They start when they are needed. */
  size?: number;
  /** What may wait, of one tenant and of all. */
  waiting?: QueueBounds;
}

/** One for the work of one tenant, and one for that of the others: what loads threads more is a flood, and waits for its turn. */
const SIZE = 2;
const WAIT_MS = 10_000;
/** More than a caller's connections; what they hold is bounded by bytes. */
const WAITING = {
  ofTenant: 500,
  ofAll: 2_000,
  bytesOfTenant: 64 * 1024 * 1024,
  bytesOfAll: 256 * 1024 * 1024,
};

/** A pool without threads: they start with the first tasks. */
export function createThreadPool<Tasks extends TaskTable = typeof TASKS>(
  options: ThreadPoolOptions,
): ThreadPool<Tasks> {
  const { size = SIZE } = options;
  const share = Math.ceil(size / 2);
  const threads = createThreads(options);
  const queue = createFairQueue<PoolTask>(options.waiting ?? WAITING);
  const running = new Set<PoolTask>();
  let closed = false;

  const mayBegin = (tenantId: number) =>
    [...running].filter((task) => task.tenantId === tenantId).length < share;

  const beginWhatCan = () => {
    while (running.size < size) {
      const task = closed ? undefined : queue.take(mayBegin);
      if (task === undefined) return;
      running.add(task);
      void work(task);
    }
  };

  const work = async (task: PoolTask): Promise<void> => {
    const thread = threads.take();
    const settle = await task.workOn(thread);
    running.delete(task);
    threads.giveBack(thread);
    settle();
    beginWhatCan();
  };

  const submit = async (order: ThreadOrder, given: RunOptions): Promise<unknown> => {
    const { waitMs = WAIT_MS, signal, transfer = [] } = given;
    signal?.throwIfAborted();
    if (closed) throw new ThreadsBusy();
    const task = createPoolTask(order, { ...given, waitMs, signal, transfer });
    if (!queue.add(task)) task.stop(new ThreadsBusy());
    beginWhatCan();
    try {
      return await task.output;
    } finally {
      queue.remove(task);
    }
  };

  return {
    run: (name, input, given) => submit({ name, input }, given) as never,
    async close() {
      closed = true;
      const left = [...queue.takeAll(), ...running];
      for (const task of left) task.stop(new ThreadsBusy());
      await Promise.allSettled(left.map((task) => task.output));
      await threads.close();
    },
  };
}
