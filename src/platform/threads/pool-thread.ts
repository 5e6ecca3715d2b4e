import { type Transferable, Worker } from 'node:worker_threads';
import { pack, type Portable, unpack } from '../json/portable-values.js';
import { TaskFailed, TaskTooLarge, unpackError } from './thread-errors.js';
import type { PackedAnswer } from './thread-questions.js';
import { joinPortions, type Portion } from './portions.js';
import type { NextPortion, PackedOrder, PackedOutput, ThreadOrder, ThreadReport } from './thread-main.js';

const YOUNG_SPACE_MB = 32;

/** Returns the answer to a question of a task. `ended` aborts when the task or its thread ends before that. */
export type OnAsk = (question: unknown, ended: AbortSignal) => Promise<unknown>;

interface ThreadRunOptions {
  transfer: readonly Transferable[];
  onBegin: () => void;
  /** Absent: the task asks nothing. */
  onAsk?: OnAsk | undefined;
}

/** A thread that runs one task at a time. */
export interface PoolThread {
  /**
   * Returns the task's output. `onBegin` is called when the task begins: starting a thread and loading its code take a while.
   * @throws what the task throws, TaskTooLarge, TaskFailed when the thread ends; what `onAsk` throws, which ends the thread.
   */
  run(order: ThreadOrder, options: ThreadRunOptions): Promise<unknown>;
  isAlive(): boolean;
  /** Terminates the thread, even during a task. */
  end(): Promise<void>;
}

export interface ThreadOptions {
  /** Calls `serveTasks`. */
  file: string;
  memoryMb: number;
}

/** Starts a thread. It keeps the process alive only during a task. */
export function startThread({ file, memoryMb }: ThreadOptions): PoolThread {
  const worker = makeWorker(file, memoryMb);
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
  const end = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  return {
    isAlive: () => alive,
    end,
    async run(order, { transfer, onBegin, onAsk }) {
      worker.ref();
      const over = new AbortController();
      try {
        const output = outputFrom(worker, { onBegin, onAsk, over, end });
        worker.postMessage({ name: order.name, input: pack(order.input) } satisfies PackedOrder, transfer);
        return await Promise.race([output, ended]);
      } catch (error) {
        throw isOutOfMemory(error) ? new TaskTooLarge(order.name) : error;
      } finally {
        over.abort(new TaskFailed('The task has ended'));
        worker.removeAllListeners('message').unref();
      }
    },
  };
}

/** When run from the sources, the thread must register the TypeScript loader: threads do not inherit it. */
function makeWorker(file: string, memoryMb: number): Worker {
  const fromSources = file.endsWith('.ts');
  const entry = `require('tsx/cjs');require(${JSON.stringify(file)})`;
  return new Worker(fromSources ? entry : file, {
    eval: fromSources,
    execArgv: [],
    // A task depends only on its input.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_SPACE_MB },
  });
}

interface Listening {
  onBegin: () => void;
  onAsk: OnAsk | undefined;
  over: AbortController;
  end: () => Promise<void>;
}

function outputFrom(worker: Worker, { onBegin, onAsk, over, end }: Listening): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const answer = async (id: number, question: Portable): Promise<void> => {
      try {
        if (onAsk === undefined) throw new TaskFailed('The task asked an unknown question');
        const found = await onAsk(unpack(question), over.signal);
        if (over.signal.aborted) return;
        worker.postMessage({ answerTo: id, answer: pack(found) } satisfies PackedAnswer, []);
      } catch (error) {
        // The thread may have another task by now.
        if (over.signal.aborted) return;
        reject(error instanceof Error ? error : new TaskFailed('A question failed', { cause: error }));
        void end();
      }
    };
    const gather = createGathering(
      () => worker.postMessage({ next: true } satisfies NextPortion, []),
      resolve,
    );
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'begun') onBegin();
      else if (report.kind === 'asks') void answer(report.id, report.question);
      else if (report.kind === 'done') gather.begin(report.output);
      else if (report.kind === 'portion') gather.add(report.portion);
      else reject(unpackError(report.error));
    });
  });
}

/** Takes an output from a thread: each portion comes in a turn of the event loop of its own. */
function createGathering(askForNext: () => void, onWhole: (value: unknown) => void) {
  const portions: Portion[] = [];
  let output: PackedOutput = { rest: undefined, places: [], isPacked: false, portionCount: 0 };
  const goOn = () => {
    if (portions.length < output.portionCount) return askForNext();
    return onWhole(joinPortions({ ...output, portions }));
  };
  return {
    begin(given: PackedOutput): void {
      output = { ...given, rest: unpack({ value: given.rest, isPacked: given.isPacked }) };
      goOn();
    },
    add({ list, items }: Portion): void {
      portions.push({ list, items: unpack({ value: items, isPacked: output.isPacked }) as unknown[] });
      goOn();
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
