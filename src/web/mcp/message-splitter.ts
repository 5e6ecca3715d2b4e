import { PayloadTooLarge } from '../../platform/errors.js';
import type { RawBody } from '../../platform/http/body/json-body-reader.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { type SplitMessage, splitMessage } from './split-message.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'split-message': typeof import('./split-message.js').splitMessage;
  }
}

/** Up to this size a message is split on the event loop, in a few ms. */
const AT_ONCE_BYTES = 64 * 1024;
const DEADLINE_MS = 5_000;

/** Splits a message: a large one in a thread, without threads on the event loop. @throws as `splitMessage`; ThreadsBusy. */
export async function splitAnyMessage(
  { bytes, contentType }: RawBody,
  { threads, tenantId }: { threads: Pick<ThreadPool, 'run'> | undefined; tenantId: number },
): Promise<SplitMessage> {
  if (threads === undefined || bytes.length <= AT_ONCE_BYTES) return splitMessage({ bytes, contentType });
  try {
    const limits = { tenantId, bytes: bytes.length, deadlineMs: DEADLINE_MS };
    return await threads.run('split-message', { bytes, contentType }, limits);
  } catch (error) {
    if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
    throw new PayloadTooLarge(`The message is too expensive to read: ${error.message}`);
  }
}
