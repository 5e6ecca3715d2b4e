import type { Transferable } from 'node:worker_threads';
import { createFairQueue, type QueueBounds } from './fair-queue.js';
import { createPoolTask, type PoolTask } from './pool-task.js';
import type { OnAsk } from './pool-thread.js';
import { createThreads, type ThreadsOptions } from './threads-at-hand.js';
import type { Ask, ThreadOrder } from './thread-main.js';
import type { TASKS } from '../../app/thread-tasks.js';
import { ThreadsBusy } from './thread-errors.js';

/** A list of tasks, such as `TASKS`: each name with a function that loads the task. */
export type TaskTable = Record<string, () => (input: never, ask: Ask) => unknown>;
type TaskOf<Tasks extends TaskTable, Name extends keyof Tasks> = ReturnType<Tasks[Name]>;

export interface RunOptions {
  /** The owner of the task: tenants take turns, and each has at most half of the threads. */
  tenantId: number;
  /** Time limit of the task, in ms, from when it begins. */
  deadlineMs: number;
  /** Memory of the input, if large: the waiting bytes of a tenant are limited. */
  bytes?: number;
  /** How long it may wait for a thread, in ms. */
  waitMs?: number;
  /** When it aborts, the task is ended. */
  signal?: AbortSignal | undefined;
  /** Parts of the input that are transferred instead of copied. */
  transfer?: readonly Transferable[];
  /** Called when a thread begins with it. */
  onBegin?: () => void;
  /** Answers the questions of the task. What it throws ends the task. */
  onAsk?: OnAsk;
}

/** A few threads for work that would block the event loop for long (decision 0029). */
export interface ThreadPool<Tasks extends TaskTable = typeof TASKS> {
  /**
   * Returns the task's output for `input`; both are passed by structured clone.
   * @throws what the task throws, with its class if it is one of ours, else TaskFailed; TaskTooLong, TaskTooLarge; ThreadsBusy when
   * too much waits already or no thread became free in time; the signal's reason.
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<TaskOf<Tasks, Name>>[0],
    options: RunOptions,
  ): Promise<Awaited<ReturnType<TaskOf<Tasks, Name>>>>;
  /** Terminates all threads; running and waiting tasks fail with ThreadsBusy. */
  close(): Promise<void>;
}

export interface ThreadPoolOptions extends ThreadsOptions {
  /** Most threads. They start when needed. */
  size?: number;
  /** Limits of the queue, of one tenant and of all. */
  waiting?: QueueBounds;
}

/** One for the work of one tenant, and one for the others: more load than that is a flood, and waits in the queue. */
const SIZE = 2;
const WAIT_MS = 10_000;
/** More than a client's connections; their memory is limited by bytes. */
const WAITING = {
  ofTenant: 500,
  ofAll: 2_000,
  bytesOfTenant: 64 * 1024 * 1024,
  bytesOfAll: 256 * 1024 * 1024,
};

/** Creates a pool; its threads start with the first tasks. */
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
