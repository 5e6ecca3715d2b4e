import { type PoolThread, startThread } from './pool-thread.js';

const MEMORY_MB = 256;
const IDLE_MS = 30_000;

export interface ThreadsOptions {
  /** Of JavaScript values of one thread, in MB. One value far beyond it ends the process: tasks bound their input first. */
  memoryMb?: number;
  /** A thread without work for so long is ended. */
  idleMs?: number;
  /** The module that exports `TASKS`. */
  tasksFile: string;
}

/** The threads of a pool that have no task. */
export interface Threads {
  /** One that is at hand, or a new one. */
  take(): PoolThread;
  /** Keeps it for the next task for a while, if it is alive. */
  giveBack(thread: PoolThread): void;
  /** Ends those at hand, and each that is given back. */
  close(): Promise<void>;
}

export function createThreads(options: ThreadsOptions): Threads {
  const { memoryMb = MEMORY_MB, idleMs = IDLE_MS, tasksFile } = options;
  const atHand = new Map<PoolThread, NodeJS.Timeout>();
  let closed = false;

  const letGo = async (thread: PoolThread): Promise<void> => {
    clearTimeout(atHand.get(thread));
    atHand.delete(thread);
    await thread.end();
  };

  return {
    take() {
      // The one that had work last: the others come to their end.
      const thread = [...atHand.keys()].at(-1);
      if (thread === undefined) return startThread({ tasksFile, memoryMb });
      clearTimeout(atHand.get(thread));
      atHand.delete(thread);
      return thread.isAlive() ? thread : this.take();
    },
    giveBack(thread) {
      if (!thread.isAlive()) return;
      atHand.set(thread, setTimeout(() => void letGo(thread), closed ? 0 : idleMs).unref());
    },
    async close() {
      closed = true;
      await Promise.all([...atHand.keys()].map(letGo));
    },
  };
}
