import type { HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';

/** The origin of a request's response: the past run, a rule, the network; none: nothing gave one. */
export type AnswerOrigin = 'recorded' | 'rule' | 'sent' | 'none';

type Answer = HttpResponse | NoResponse;

const ORIGIN = Symbol('origin');

/** Returns the answer with its origin, for `originOf`. */
export function cameFrom(origin: AnswerOrigin, answer: Answer): Answer {
  const marked: Answer & { [ORIGIN]?: AnswerOrigin } = { ...answer, [ORIGIN]: origin };
  return marked;
}

/** Returns the origin of a response. */
export function originOf(answer: Answer & { [ORIGIN]?: AnswerOrigin }): AnswerOrigin {
  return answer[ORIGIN] ?? 'none';
}
