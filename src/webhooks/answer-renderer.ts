import { JsonText } from '../platform/json.js';
import { inTurn, TurnOver } from '../platform/runtime/time-limit.js';
import type { ThreadPool } from '../platform/threads/thread-pool.js';
import type { Answer } from './answer.js';
import { type AnswerContext, answerOrder, answerScope, MAX_ANSWER_MS } from './render-answer-task.js';
import type { ReceivedEvent } from './webhook-event.js';
import { type PreparedResponse, renderAnswer } from './webhook-response.js';

/** What the templates of one answer may hold the event loop for. What needs more is rendered in a thread. */
const AT_ONCE_MS = 25;
/** A webhook that needed more goes to a thread at once for so long. */
const REMEMBERED_MS = 60_000;
/** The thread parses the event besides. */
const DEADLINE_MS = 2 * MAX_ANSWER_MS;

export interface AnswerRequest {
  received: ReceivedEvent;
  context: AnswerContext;
  tenantId: number;
}

/** Makes the answer to one request. @throws TemplateError; what a thread throws. */
export type AnswerRenderer = (response: PreparedResponse, request: AnswerRequest) => Promise<Answer>;

/** Rendering changes nothing: what took too long on the event loop is given up, and done again in a thread. */
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

/** Undefined when it takes too long, or comes upon what is too large for the event loop. */
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
