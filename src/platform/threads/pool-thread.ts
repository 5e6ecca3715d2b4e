import path from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { TaskFailed, TaskTooLarge, unpackError } from './thread-errors.js';
import type { ThreadData, ThreadOrder, ThreadReport } from './thread-main.js';

const FILE = path.join(__dirname, `thread-main${path.extname(__filename)}`);
const YOUNG_SPACE_MB = 32;

/** One thread, which does one task at a time. */
export interface PoolThread {
  /**
   * The task's output. `onBegin` is called when the task begins: starting a thread and loading its code take a while.
   * @throws what the task throws, TaskTooLarge, TaskFailed when the thread ends.
   */
  run(
    order: ThreadOrder,
    options: { transfer: readonly Transferable[]; onBegin: () => void },
  ): Promise<unknown>;
  isAlive(): boolean;
  /** Ends it, whatever it does. */
  end(): Promise<void>;
}

export interface ThreadOptions {
  tasksFile: string;
  memoryMb: number;
}

/** Starts a thread. It does not keep the process alive, but for the time of a task. */
export function startThread({ tasksFile, memoryMb }: ThreadOptions): PoolThread {
  const worker = makeWorker({ tasksFile }, memoryMb);
  let alive = true;
  /** The end of the thread for whatever reason, as an error; it is never fulfilled. */
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', (cause) => {
      alive = false;
      reject(isOutOfMemory(cause) ? cause : new TaskFailed('The thread failed', { cause }));
    });
    worker.once('exit', (code) => {
      alive = false;
      reject(new TaskFailed(`The thread ended with exit code ${code}`));
    });
  });
  ended.catch(() => undefined);
  worker.unref();
  return {
    isAlive: () => alive,
    async end() {
      alive = false;
      await worker.terminate();
    },
    async run(order, { transfer, onBegin }) {
      worker.ref();
      try {
        const output = outputFrom(worker, onBegin);
        worker.postMessage(order, transfer);
        return await Promise.race([output, ended]);
      } catch (error) {
        throw isOutOfMemory(error) ? new TaskTooLarge(order.name) : error;
      } finally {
        worker.removeAllListeners('message').unref();
      }
    },
  };
}

/** From the sources there is a loader for TypeScript to be registered, which threads do not inherit. */
function makeWorker(workerData: ThreadData, memoryMb: number): Worker {
  const fromSources = FILE.endsWith('.ts');
  const entry = `require('tsx/cjs');require(${JSON.stringify(FILE)})`;
  return new Worker(fromSources ? entry : FILE, {
    eval: fromSources,
    execArgv: [],
    // A task depends on its input alone.
    env: {},
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_SPACE_MB },
  });
}

function outputFrom(worker: Worker, onBegin: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'begun') onBegin();
      else if (report.kind === 'done') resolve(report.output);
      else reject(unpackError(report.error));
    });
  });
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
