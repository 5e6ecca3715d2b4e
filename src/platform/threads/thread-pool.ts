import type { Transferable } from 'node:worker_threads';
import { createFairQueue, type QueueBounds } from './fair-queue.js';
import { createPoolTask, type PoolTask } from './pool-task.js';
import type { OnAsk } from './pool-thread.js';
import { createThreadCache, type ThreadCacheOptions } from './thread-cache.js';
import type { Ask, ThreadOrder } from './thread-main.js';
import { Displaced, ThreadsBusy } from './thread-errors.js';

/** A tenant that pauses gets back this part of the time. */
const REGAINED = 0.2;
const MOST_KNOWN_TENANTS = 1_000;

type Task = (input: never, ask: Ask) => unknown;

/**
 * The tasks of this product, by name. Each room declares those that it orders, beside the code that orders them; the list
 * that threads serve must have all of them.
 */
// Rooms add to it (`declare module`). oxlint-disable-next-line typescript/no-empty-interface
export interface ThreadTasks {}

/** A list of tasks for `serveTasks`: each name with a function that loads the task. */
export type TaskTable<Tasks extends object = ThreadTasks> = { [Name in keyof Tasks]: () => Tasks[Name] };
type InputOf<Each> = Each extends Task ? Parameters<Each>[0] : never;
type OutputOf<Each> = Each extends Task ? Awaited<ReturnType<Each>> : never;

export interface TaskRunOptions {
  /**
   * The owner of the task: tenants take turns, and each has at most half of the threads. Beyond its first second (`firstMs`)
   * a tenant gets a thread only when no other waits, and may lose it to one: the task then begins again, three times at
   * most, unless it asks or was handed parts of its input.
   */
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
export interface ThreadPool<Tasks extends object = ThreadTasks> {
  /**
   * Returns the task's output for `input`; both are passed by structured clone.
   * @throws what the task throws, with its class if it is one of ours, else TaskFailed; TaskTooLong, TaskTooLarge; ThreadsBusy when
   * too much waits already or no thread became free in time; the signal's reason.
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: InputOf<Tasks[Name]>,
    options: TaskRunOptions,
  ): Promise<OutputOf<Tasks[Name]>>;
  /** Terminates all threads; running and waiting tasks fail with ThreadsBusy. */
  close(): Promise<void>;
}

export interface ThreadPoolOptions extends ThreadCacheOptions {
  /** Most threads. They start when needed. */
  size?: number;
  /** The thread time of a tenant that comes before the tasks of tenants which used more, in ms. */
  firstMs?: number;
  /** Limits of the queue, of one tenant and of all. */
  waiting?: QueueBounds;
}

/** Two for tenants that use much, and one that is left to the others. */
const SIZE = 3;
const FIRST_MS = 1_000;
/** How often it is looked whether a task has to make room, while one waits. */
const LOOK_MS = 100;
const MOST_BEGINNINGS = 4;
const WAIT_MS = 10_000;
/** More than a client's connections; their memory is limited by bytes. */
const WAITING = {
  ofTenant: 500,
  ofAll: 2_000,
  bytesOfTenant: 64 * 1024 * 1024,
  bytesOfAll: 256 * 1024 * 1024,
};

/** Creates a pool; its threads start with the first tasks. */
export function createThreadPool<Tasks extends object = ThreadTasks>(
  options: ThreadPoolOptions,
): ThreadPool<Tasks> {
  const { size = SIZE, firstMs = FIRST_MS } = options;
  const share = Math.max(1, Math.floor(size / 2));
  const threads = createThreadCache(options);
  const shares = createThreadShares(firstMs);
  const queue = createFairQueue<PoolTask>(options.waiting ?? WAITING);
  const running = new Set<PoolTask>();
  let looking: NodeJS.Timeout | undefined;
  let closed = false;

  const isOver = (task: PoolTask) => shares.isOver(task.tenantId, task.runMs());
  const hasRoom = (tenantId: number) =>
    [...running].filter((task) => task.tenantId === tenantId).length < share;
  const comesFirst = (tenantId: number) => hasRoom(tenantId) && !shares.isOver(tenantId);
  /** One thread is left to tenants that have used little. */
  const comesLater = (tenantId: number) =>
    hasRoom(tenantId) && (size === 1 || [...running].filter(isOver).length < size - 1);

  const beginWhatCan = () => {
    while (running.size < size) {
      const task = closed ? undefined : (queue.take(comesFirst) ?? queue.take(comesLater));
      if (task === undefined) break;
      running.add(task);
      void work(task);
    }
    makeRoom();
  };

  /**
   * Looks again while a tenant waits that may have a thread: it may regain its share, with a thread free. If all threads work
   * for tenants that have used much while another waits, the task that began last makes room.
   */
  const makeRoom = () => {
    if (looking !== undefined || closed || !queue.some(hasRoom)) return;
    looking = setTimeout(() => {
      looking = undefined;
      const all = [...running];
      if (running.size >= size && queue.some(comesFirst) && all.every(isOver))
        all.at(-1)?.stop(new Displaced());
      beginWhatCan();
    }, LOOK_MS).unref();
  };

  const work = async (task: PoolTask): Promise<void> => {
    const thread = threads.take();
    const settle = await task.workOn(thread);
    running.delete(task);
    shares.spent(task.tenantId, task.runMs());
    threads.giveBack(thread);
    settle();
    beginWhatCan();
  };

  const submitOnce = async (order: ThreadOrder, given: TaskRunOptions): Promise<unknown> => {
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

  const submit = async (order: ThreadOrder, given: TaskRunOptions): Promise<unknown> => {
    const mayRepeat = given.onAsk === undefined && (given.transfer ?? []).length === 0;
    for (let beginnings = 1; ; beginnings += 1) {
      try {
        return await submitOnce(order, given);
      } catch (error) {
        if (!(error instanceof Displaced) || !mayRepeat || beginnings >= MOST_BEGINNINGS) throw error;
      }
    }
  };

  return {
    run: (name, input, given) => submit({ name, input }, given) as never,
    async close() {
      closed = true;
      clearTimeout(looking);
      const left = [...queue.takeAll(), ...running];
      for (const task of left) task.stop(new ThreadsBusy());
      await Promise.allSettled(left.map((task) => task.output));
      await threads.close();
    },
  };
}

/** The time that tenants have used of the threads, as far as it still counts. */
interface ThreadShares {
  spent(tenantId: number, ms: number): void;
  /** Returns true if the tenant has used up what it may before all others, with `runningMs` of what it does now. */
  isOver(tenantId: number, runningMs?: number): boolean;
}

/** Creates the shares: each tenant may use `firstMs` of thread time, of which it regains a fifth of the time that passes. */
function createThreadShares(firstMs: number): ThreadShares {
  const used = new Map<number, { ms: number; at: number }>();
  const usedMs = (tenantId: number): number => {
    const { ms, at } = used.get(tenantId) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - REGAINED * (performance.now() - at));
  };
  const forget = (): void => {
    for (const tenantId of used.keys()) if (usedMs(tenantId) === 0) used.delete(tenantId);
  };
  return {
    spent(tenantId, ms) {
      // A tenant that used more is not kept out for longer than a pause of some seconds.
      used.set(tenantId, { ms: Math.min(usedMs(tenantId) + ms, 2 * firstMs), at: performance.now() });
      if (used.size > MOST_KNOWN_TENANTS) forget();
    },
    isOver: (tenantId, runningMs = 0) => usedMs(tenantId) + runningMs >= firstMs,
  };
}
