import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { BadRequest } from '../../src/platform/errors.js';
import { serveTasks } from '../../src/platform/threads/thread-main.js';
import { TemplateError } from '../../src/platform/text/template-error.js';

/** Tasks that do what tasks must not. */
export const TASKS = {
  double: () => (numbers: number[]) => numbers.map((each) => 2 * each),
  thread: () => () => threadId,
  ask: () => async (questions: unknown[], ask: (question: unknown) => Promise<unknown>) => {
    const answers: unknown[] = [];
    for (const question of questions) answers.push(await ask(question));
    return { answers, threadId };
  },
  wait: () => async (waitMs: number) => {
    await sleep(waitMs);
    return threadId;
  },
  spin: () => () => {
    for (;;);
  },
  eat: () => () => {
    const eaten: object[] = [];
    for (;;) eaten.push({ more: [eaten.length] });
  },
  die: () => () => process.exit(3),
  throwLater: () => async () => {
    setImmediate(() => {
      throw new Error('nobody waits for this');
    });
    await sleep(60_000);
  },
  fail: () => (kind: 'template' | 'request' | 'other') => {
    if (kind === 'template') {
      throw new TemplateError('x: is not closed', {
        problem: { message: 'is not closed', line: 2, column: 7 },
      });
    }
    if (kind === 'request') throw new BadRequest([{ message: 'is wrong', details: 'a.b' }]);
    throw new RangeError('out of range');
  },
  function: () => () => () => 1,
  size: () => (bytes: Uint8Array) => bytes.byteLength,
};

serveTasks(TASKS);
