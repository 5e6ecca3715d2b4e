import { parentPort, workerData } from 'node:worker_threads';
import { pack, type Portable, unpack } from '../json/portable-values.js';
import { createQuestions, type PackedAnswer } from './thread-questions.js';
import { packError, type PackedError } from './thread-errors.js';

/** Start data of a thread. */
export interface ThreadData {
  /** The module that exports `TASKS`. */
  tasksFile: string;
}

/** One task for a thread. */
export interface ThreadOrder {
  name: string;
  input: unknown;
}

/** The task as it is sent. */
export interface PackedOrder {
  name: string;
  input: Portable;
}

/** Reports of a thread about a task: its code is loaded and it begins, what it asks, then its result. */
export type ThreadReport =
  | { kind: 'begun' }
  | { kind: 'asks'; id: number; question: Portable }
  | { kind: 'done'; output: Portable }
  | { kind: 'failed'; error: PackedError };

type Tasks = Record<string, () => (input: unknown, ask: Ask) => unknown>;

/** Asks the process that gave the task, and waits for its answer. Never ends if the process ends the task. */
export type Ask = (question: unknown) => Promise<unknown>;

const port = parentPort;
if (port !== null) {
  const { tasksFile } = workerData as ThreadData;
  const questions = createQuestions((id, question) => say({ kind: 'asks', id, question: pack(question) }));
  port.on('message', (message: PackedOrder | PackedAnswer) => {
    if ('answerTo' in message) return questions.answer(message);
    void work(tasksFile, message, questions.ask).then((report) => say(report));
  });
}

async function work(tasksFile: string, { name, input }: PackedOrder, ask: Ask): Promise<ThreadReport> {
  try {
    const { TASKS: tasks } = require(tasksFile) as { TASKS: Tasks };
    const task = tasks[name]?.();
    if (task === undefined) throw new Error(`There is no task "${name}"`);
    say({ kind: 'begun' });
    return { kind: 'done', output: pack(await task(unpack(input), ask)) };
  } catch (error) {
    return { kind: 'failed', error: packError(error) };
  }
}

function say(report: ThreadReport): void {
  try {
    port?.postMessage(report);
  } catch (error) {
    // The output contains a value that cannot be cloned, such as a function.
    port?.postMessage({ kind: 'failed', error: packError(error) } satisfies ThreadReport);
  }
}
