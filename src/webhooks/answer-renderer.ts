import { JsonText } from '../platform/json.js';
import { inTurn, TurnOver } from '../platform/runtime/time-limit.js';
import type { ThreadPool } from '../platform/threads/thread-pool.js';
import type { Answer } from './answer.js';
import { type AnswerContext, answerOrder, answerScope, MAX_ANSWER_MS } from './render-answer-task.js';
import type { ReceivedEvent } from './webhook-event.js';
import { type PreparedResponse, renderAnswer } from './webhook-response.js';

/** Time that the templates of one response may block the event loop. A slower response is rendered in a thread. */
const AT_ONCE_MS = 25;
/** After a slow rendering, a webhook's responses are rendered in a thread for this long. */
const REMEMBERED_MS = 60_000;
/** Longer than the limit of rendering, because the thread also parses the event. */
const DEADLINE_MS = 2 * MAX_ANSWER_MS;

export interface AnswerRequest {
  received: ReceivedEvent;
  context: AnswerContext;
  tenantId: number;
}

/** Renders the response to one request. @throws TemplateError, and the errors of the thread pool. */
export type AnswerRenderer = (response: PreparedResponse, request: AnswerRequest) => Promise<Answer>;

/** Rendering has no side effects: one that takes too long on the event loop is stopped, and repeated in a thread. */
export function createAnswerRenderer(threads: Pick<ThreadPool, 'run'>): AnswerRenderer {
  const slowUntil = new WeakMap<PreparedResponse, number>();
  return async (response, { received, context, tenantId }) => {
    const { event } = received;
    if (!(event instanceof JsonText) && (slowUntil.get(response) ?? 0) < performance.now()) {
      const answer = renderAtOnce(response, { ...received, event }, context);
      if (answer !== undefined) return answer;
      slowUntil.set(response, performance.now() + REMEMBERED_MS);
    }
    const { parts, language } = response;
    const order = answerOrder(received, { parts, language: language.name, context });
    return threads.run('render-answer', order, { tenantId, deadlineMs: DEADLINE_MS });
  };
}

/** Returns undefined if rendering takes too long, or meets a value that is too large for the event loop. */
function renderAtOnce(
  { parts, language }: PreparedResponse,
  received: ReceivedEvent<Exclude<ReceivedEvent['event'], JsonText>>,
  context: AnswerContext,
): Answer | undefined {
  try {
    return inTurn(AT_ONCE_MS, () => renderAnswer(parts, language, answerScope(received, context)));
  } catch (error) {
    if (error instanceof TurnOver) return undefined;
    throw error;
  }
}
