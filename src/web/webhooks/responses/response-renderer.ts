import { JsonText } from '../../../platform/json.js';
import { inTimeSlice, TimeSliceExceeded } from '../../../platform/runtime/time-limit.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import type { WebhookResponse } from './response.js';
import { type ResponseContext, renderOrder, responseScope, MAX_RESPONSE_MS } from './render-response-task.js';
import type { ReceivedEvent } from '../webhook-event.js';
import { type PreparedResponse, renderWebhookResponse } from './webhook-response.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'render-response': typeof import('./render-response-task.js').renderResponseInThread;
  }
}

/** Time that the templates of one response may block the event loop. A slower response is rendered in a thread. */
const AT_ONCE_MS = 25;
/** After a slow rendering, a webhook's responses are rendered in a thread for this long. */
const REMEMBERED_MS = 60_000;
/** Longer than the limit of rendering, because the thread also parses the event. */
const DEADLINE_MS = 2 * MAX_RESPONSE_MS;

export interface RenderRequest {
  received: ReceivedEvent;
  context: ResponseContext;
  tenantId: number;
}

/** Renders the response to one request. @throws TemplateError, and the errors of the thread pool. */
export type ResponseRenderer = (
  response: PreparedResponse,
  request: RenderRequest,
) => Promise<WebhookResponse>;

/** Rendering has no side effects: one that takes too long on the event loop is stopped, and repeated in a thread. */
export function createResponseRenderer(threads: Pick<ThreadPool, 'run'>): ResponseRenderer {
  const slowUntil = new WeakMap<PreparedResponse, number>();
  return async (response, { received, context, tenantId }) => {
    const { event } = received;
    if (!(event instanceof JsonText) && (slowUntil.get(response) ?? 0) < performance.now()) {
      const rendered = renderAtOnce(response, { ...received, event }, context);
      if (rendered !== undefined) return rendered;
      slowUntil.set(response, performance.now() + REMEMBERED_MS);
    }
    const { parts, language } = response;
    const order = renderOrder(received, { parts, language: language.name, context });
    return threads.run('render-response', order, { tenantId, deadlineMs: DEADLINE_MS });
  };
}

/** Returns undefined if rendering takes too long, or meets a value that is too large for the event loop. */
function renderAtOnce(
  { parts, language }: PreparedResponse,
  received: ReceivedEvent<Exclude<ReceivedEvent['event'], JsonText>>,
  context: ResponseContext,
): WebhookResponse | undefined {
  try {
    return inTimeSlice(AT_ONCE_MS, () =>
      renderWebhookResponse(parts, language, responseScope(received, context)),
    );
  } catch (error) {
    if (error instanceof TimeSliceExceeded) return undefined;
    throw error;
  }
}
