import { PayloadTooLarge } from '../errors.js';
import { TaskTooLarge, TaskTooLong } from '../threads/thread-errors.js';
import type { ThreadPool } from '../threads/thread-pool.js';
import { mediaTypeOf } from './body-parser.js';
import { receiveBytes, receivedFrom, type RequestBytes } from './receive-task.js';
import type { ReceivedEvent } from './webhook-event.js';

/**
 * Bodies up to this size are parsed at once, in 20 ms at worst; a thread parses the others (decision 0029). XML takes ten times
 * as long as JSON, and of multipart bodies a part may take as long as 100 KB of another.
 */
const AT_ONCE_BYTES = 64 * 1024;
const AT_ONCE_BYTES_OF_MARKUP = 16 * 1024;
const DEADLINE_MS = 5_000;

/** Makes the event of a request. @throws as `parseBody`; ThreadsBusy. */
export type Receive = (request: RequestBytes, tenantId: number) => Promise<ReceivedEvent>;

export function createReceive(threads: Pick<ThreadPool, 'run'>): Receive {
  return async (request, tenantId) => {
    if (request.bytes.length <= mostAtOnce(request.contentType)) return receiveBytes(request);
    try {
      const transfer = handOver(request.bytes);
      const options = { tenantId, deadlineMs: DEADLINE_MS, transfer };
      return receivedFrom(request, await threads.run('receive-text', request, options));
    } catch (error) {
      if (error instanceof TaskTooLong || error instanceof TaskTooLarge) {
        throw new PayloadTooLarge(`The request body takes too much to read: ${error.message}`);
      }
      throw error;
    }
  };
}

function mostAtOnce(contentType: string | undefined): number {
  const type = mediaTypeOf(contentType);
  return /xml$|^multipart\//.test(type) ? AT_ONCE_BYTES_OF_MARKUP : AT_ONCE_BYTES;
}

/** Memory that holds nothing else is handed over; of the rest the thread gets a copy. */
function handOver({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
