import path from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { pack, unpack } from '../json/portable-values.js';
import { TaskFailed, TaskTooLarge, unpackError } from './thread-errors.js';
import type { PackedOrder, ThreadData, ThreadOrder, ThreadReport } from './thread-main.js';

const FILE = path.join(__dirname, `thread-main${path.extname(__filename)}`);
const YOUNG_SPACE_MB = 32;

/** A thread that runs one task at a time. */
export interface PoolThread {
  /**
   * Returns the task's output. `onBegin` is called when the task begins: starting a thread and loading its code take a while.
   * @throws what the task throws, TaskTooLarge, TaskFailed when the thread ends.
   */
  run(
    order: ThreadOrder,
    options: { transfer: readonly Transferable[]; onBegin: () => void },
  ): Promise<unknown>;
  isAlive(): boolean;
  /** Terminates the thread, even during a task. */
  end(): Promise<void>;
}

export interface ThreadOptions {
  tasksFile: string;
  memoryMb: number;
}

/** Starts a thread. It keeps the process alive only during a task. */
export function startThread({ tasksFile, memoryMb }: ThreadOptions): PoolThread {
  const worker = makeWorker({ tasksFile }, memoryMb);
  let alive = true;
  /** Rejects when the thread ends for any reason; never resolves. */
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
        worker.postMessage({ name: order.name, input: pack(order.input) } satisfies PackedOrder, transfer);
        return await Promise.race([output, ended]);
      } catch (error) {
        throw isOutOfMemory(error) ? new TaskTooLarge(order.name) : error;
      } finally {
        worker.removeAllListeners('message').unref();
      }
    },
  };
}

/** When run from the sources, the thread must register the TypeScript loader: threads do not inherit it. */
function makeWorker(workerData: ThreadData, memoryMb: number): Worker {
  const fromSources = FILE.endsWith('.ts');
  const entry = `require('tsx/cjs');require(${JSON.stringify(FILE)})`;
  return new Worker(fromSources ? entry : FILE, {
    eval: fromSources,
    execArgv: [],
    // A task depends only on its input.
    env: {},
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_SPACE_MB },
  });
}

function outputFrom(worker: Worker, onBegin: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'begun') onBegin();
      else if (report.kind === 'done') resolve(unpack(report.output));
      else reject(unpackError(report.error));
    });
  });
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
