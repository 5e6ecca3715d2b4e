import { PayloadTooLarge } from '../../platform/errors.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { type CheckedRequest, type CheckOrder, checkRequest, type GivenRequest } from './checked-request.js';
import { hasManyValues } from '../../platform/http/body/json-body-reader.js';
import type { AnyRoute } from '../route.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'check-request': (order: CheckOrder) => CheckedRequest;
  }
}

/** Bodies up to this size and number of values are checked on the event loop, in at most 20 ms (decision 0029). */
const AT_ONCE_BYTES = 64 * 1024;
const AT_ONCE_VALUES = 1_000;
/** The same for a body whose preparation costs more than its schema: a story. */
const AT_ONCE_PREPARED_BYTES = 16 * 1024;
const DEADLINE_MS = 20_000;

/**
 * Parses and checks a request for a route: a large one in a thread, without threads on the event loop.
 * @throws as `checkRequest`; ThreadsBusy.
 */
export async function checkAnyRequest<Services>(
  route: AnyRoute<Services>,
  given: GivenRequest,
  { threads, tenantId }: { threads: Pick<ThreadPool, 'run'> | undefined; tenantId: number },
): Promise<CheckedRequest> {
  if (threads === undefined || !isMuch(route, given)) return checkRequest(route, given);
  const { method, path } = route;
  try {
    return await threads.run(
      'check-request',
      { method, path, given },
      { tenantId, bytes: given.body.bytes.length, deadlineMs: DEADLINE_MS },
    );
  } catch (error) {
    if (error instanceof TaskTooLong || error instanceof TaskTooLarge) {
      throw new PayloadTooLarge(`The body is too expensive to check: ${error.message}`);
    }
    throw error;
  }
}

function isMuch<Services>(route: AnyRoute<Services>, { body }: GivenRequest): boolean {
  const most = route.prepare === undefined ? AT_ONCE_BYTES : AT_ONCE_PREPARED_BYTES;
  return body.bytes.length > most || hasManyValues(body, AT_ONCE_VALUES);
}
