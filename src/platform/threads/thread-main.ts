import { parentPort } from 'node:worker_threads';
import { pack, type Portable, unpack } from '../json/portable-values.js';
import { type Portion, type Portioned, portionsOf } from './portions.js';
import { createThreadQuestions, type PackedAnswer } from './thread-questions.js';
import { packError, type PackedError } from './thread-errors.js';

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

/** Asks for the next portion of the output. */
export interface NextPortion {
  next: true;
}

/** The output of a task, whose portions are asked for one by one. */
export interface PackedOutput extends Omit<Portioned, 'portions'> {
  /** Some parts stand for others, as in `Portable`. */
  isPacked: boolean;
  portionCount: number;
}

/** Reports of a thread about a task: its code is loaded and it begins, what it asks, then its result. */
export type ThreadReport =
  | { kind: 'begun' }
  | { kind: 'asks'; id: number; question: Portable }
  | { kind: 'done'; output: PackedOutput }
  | { kind: 'portion'; portion: Portion }
  | { kind: 'failed'; error: PackedError };

/** Tasks by their names. Each loads its code when it is first asked for. */
type Tasks = Record<string, () => (input: never, ask: Ask) => unknown>;

/** Asks the process that gave the task, and waits for its answer. Never ends if the process ends the task. */
export type Ask = (question: unknown) => Promise<unknown>;

const port = parentPort;

/** Works on the tasks that the pool sends to this thread. */
export function serveTasks(tasks: Tasks): void {
  const questions = createThreadQuestions((id, question) =>
    say({ kind: 'asks', id, question: pack(question) }),
  );
  let left: Portion[] = [];
  port?.on('message', (message: PackedOrder | PackedAnswer | NextPortion) => {
    if ('answerTo' in message) return questions.answer(message);
    if ('next' in message) return sayNext(left);
    return void workOn(message);
  });
  const workOn = async (order: PackedOrder): Promise<void> => {
    const { report, portions } = await work(tasks, order, questions.ask);
    left = portions;
    say(report);
  };
}

function sayNext(left: Portion[]): void {
  const portion = left.shift();
  if (portion !== undefined) say({ kind: 'portion', portion });
}

interface Worked {
  report: ThreadReport;
  portions: Portion[];
}

async function work(tasks: Tasks, { name, input }: PackedOrder, ask: Ask): Promise<Worked> {
  try {
    const task = tasks[name]?.();
    if (task === undefined) throw new Error(`There is no task "${name}"`);
    say({ kind: 'begun' });
    const { value, isPacked } = pack(await task(unpack(input) as never, ask));
    const { portions, ...output } = portionsOf(value);
    return {
      report: { kind: 'done', output: { ...output, isPacked, portionCount: portions.length } },
      portions,
    };
  } catch (error) {
    return { report: { kind: 'failed', error: packError(error) }, portions: [] };
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
