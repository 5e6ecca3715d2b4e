import { type PoolThread, startThread } from './pool-thread.js';

const MEMORY_MB = 256;
const IDLE_MS = 30_000;

export interface ThreadCacheOptions {
  /** Heap size of one thread, in MB. One value far beyond it ends the process: tasks limit their input first. */
  memoryMb?: number;
  /** A thread idle for this time is terminated. */
  idleMs?: number;
  /** Calls `serveTasks`. */
  file: string;
}

/** The idle threads of a pool. */
export interface ThreadCache {
  /** Returns an idle thread, or a new one. */
  take(): PoolThread;
  /** Keeps the thread for the next task for a while, if it is alive. */
  giveBack(thread: PoolThread): void;
  /** Terminates idle threads, and later each that is given back. */
  close(): Promise<void>;
}

export function createThreadCache(options: ThreadCacheOptions): ThreadCache {
  const { memoryMb = MEMORY_MB, idleMs = IDLE_MS, file } = options;
  const idle = new Map<PoolThread, NodeJS.Timeout>();
  let closed = false;

  const letGo = async (thread: PoolThread): Promise<void> => {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    await thread.end();
  };

  return {
    take() {
      // The most recently used one, so that the others reach their idle timeout.
      const thread = [...idle.keys()].at(-1);
      if (thread === undefined) return startThread({ file, memoryMb });
      clearTimeout(idle.get(thread));
      idle.delete(thread);
      return thread.isAlive() ? thread : this.take();
    },
    giveBack(thread) {
      if (!thread.isAlive()) return;
      idle.set(thread, setTimeout(() => void letGo(thread), closed ? 0 : idleMs).unref());
    },
    async close() {
      closed = true;
      await Promise.all([...idle.keys()].map(letGo));
    },
  };
}
