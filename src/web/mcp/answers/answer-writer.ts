import { PayloadTooLarge } from '../../../platform/errors.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { type AnswerOrder, writtenAnswer } from './written-answer.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'write-answer': typeof import('./written-answer.js').writtenAnswer;
  }
}

/** Up to this size a response is written on the event loop, in a few ms. */
const AT_ONCE_CHARACTERS = 128 * 1024;
const DEADLINE_MS = 10_000;

/** Writes a response: a large one in a thread, without threads on the event loop. @throws as `writtenAnswer`; ThreadsBusy. */
export async function writeAnyAnswer(
  order: AnswerOrder,
  { threads, tenantId }: { threads: Pick<ThreadPool, 'run'> | undefined; tenantId: number },
): Promise<string> {
  const { length } = order.answer.text;
  if (threads === undefined || length <= AT_ONCE_CHARACTERS) return writtenAnswer(order);
  try {
    return await threads.run('write-answer', order, { tenantId, bytes: 2 * length, deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
    throw new PayloadTooLarge(`The response is too expensive to shorten: ${error.message}`);
  }
}
