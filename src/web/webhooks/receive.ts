import { PayloadTooLarge } from '../../platform/errors.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { mediaTypeOf } from '../../platform/headers/content-type.js';
import { receiveBytes, receivedFrom, type RequestBytes } from './receive-task.js';
import type { ReceivedEvent } from './webhook-event.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'receive-text': typeof import('./receive-task.js').receiveText;
  }
}

/**
 * Bodies up to this size are parsed on the event loop, in 20 ms at worst; larger ones in a thread (decision 0029). XML takes
 * ten times as long as JSON. A multipart part can take as long as 100 KB of another body.
 */
const AT_ONCE_BYTES = 64 * 1024;
const AT_ONCE_BYTES_OF_MARKUP = 16 * 1024;
/** A longer body is parsed on the event loop too, in 10 ms at worst, if it is text with few values. */
const AT_ONCE_BYTES_OF_FEW_VALUES = 512 * 1024;
const FEW_SEPARATORS = 4_000;
const SEPARATORS = Uint8Array.from({ length: 256 }, (_, code) =>
  ',[{&'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const DEADLINE_MS = 5_000;

/** Makes the event of a request. @throws as `parseBody`; ThreadsBusy. */
export async function receiveRequest(
  request: RequestBytes,
  tenantId: number,
  threads: Pick<ThreadPool, 'run'>,
): Promise<ReceivedEvent> {
  if (isShort(request)) return receiveBytes(request);
  try {
    const transfer = handOver(request.bytes);
    const options = { tenantId, bytes: request.bytes.length, deadlineMs: DEADLINE_MS, transfer };
    return receivedFrom(request, await threads.run('receive-text', request, options));
  } catch (error) {
    if (error instanceof TaskTooLong || error instanceof TaskTooLarge) {
      throw new PayloadTooLarge(`The request body cannot be parsed within the limits: ${error.message}`);
    }
    throw error;
  }
}

function isShort({ bytes, contentType }: RequestBytes): boolean {
  if (/xml$|^multipart\//.test(mediaTypeOf(contentType))) return bytes.length <= AT_ONCE_BYTES_OF_MARKUP;
  if (bytes.length <= AT_ONCE_BYTES) return true;
  return bytes.length <= AT_ONCE_BYTES_OF_FEW_VALUES && hasFewSeparators(bytes);
}

/** Whether the bytes hold few of the characters that separate values in JSON and forms. */
function hasFewSeparators(bytes: Uint8Array): boolean {
  let separators = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    separators += SEPARATORS[bytes[at] ?? 0] ?? 0;
    if (separators > FEW_SEPARATORS) return false;
  }
  return true;
}

/** Transfers a buffer that holds nothing else; any other buffer is copied to the thread. */
function handOver({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
