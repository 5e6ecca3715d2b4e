import type { RequestOptions } from '../../agents/face.js';
import { AgentError, PermanentJobError } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/outbound/http-exchange.js';
import type { SendOrder, SentAnswer } from '../sending/send-order.js';
import type { DeliveryRow } from '../../engine/face.js';
import { type AnswerOrigin, cameFrom } from './answer-origin.js';

/** One execution of an action: another object for each attempt. */
export interface Execution {
  delivery: Pick<DeliveryRow, 'id' | 'agentId'>;
  teamId: number;
}

/** The parts of a run that a client of sent requests needs. */
export interface SendingRun {
  /** The execution that goes on. */
  here(): Execution | undefined;
  /** The options of the request that is asked for. */
  options(): RequestOptions | undefined;
  onUnanswered(request: string): void;
}

/** The requests of a trial that are really sent, and their responses. */
export interface SentAnswers {
  /** Returns the client of the trial. It sends each request once: another attempt gets the same response. */
  sending: (run: SendingRun) => HttpClient;
  /** Returns the client of the same trial once more: each action gets the responses of the first one, in their order. */
  repeating: (run: SendingRun) => HttpClient;
  /** Returns the ms that passed while requests were sent. */
  waitedMs: () => number;
}

type Find = (order: SendOrder, agentId: number) => Promise<SentAnswer>;

/** Creates the sent requests of a trial. `send` asks the process that may send. */
export function createSentAnswers(send: (order: SendOrder) => Promise<SentAnswer>): SentAnswers {
  const byAction = new Map<number, SentAnswer[]>();
  let waited = 0;

  const sendNew: Find = async (order, agentId) => {
    const began = performance.now();
    const answer = await send(order);
    waited += performance.now() - began;
    byAction.set(agentId, [...(byAction.get(agentId) ?? []), answer]);
    return answer;
  };

  return {
    sending: (run) => createClient(run, sendNew),
    repeating(run) {
      const taken = new Map<number, number>();
      return createClient(run, (_order, agentId) => {
        const next = taken.get(agentId) ?? 0;
        taken.set(agentId, next + 1);
        return Promise.resolve(byAction.get(agentId)?.[next] ?? NOT_AGAIN);
      });
    },
    waitedMs: () => waited,
  };
}

const NOT_AGAIN: SentAnswer = {
  kind: 'none',
  reason: 'the request is not sent again',
  isSent: false,
  forbidden: true,
};

/** A retry comes at once in a trial: it would tell nothing new of the server. So an attempt has the responses of the one before. */
function createClient(run: SendingRun, find: Find): HttpClient {
  const byDelivery = new Map<number, SentAnswer[]>();
  let now: Execution | undefined;
  let next = 0;
  return {
    async request(request) {
      const here = run.here();
      const options = run.options();
      if (here === undefined || options === undefined)
        throw new Error('The request to send belongs to no action');
      if (here !== now) next = 0;
      now = here;
      const { id, agentId } = here.delivery;
      const known = byDelivery.get(id) ?? [];
      const answer = known[next] ?? (await find(orderOf(request, options, here), agentId));
      known[next] = answer;
      byDelivery.set(id, known);
      next += 1;
      return answerOf(answer, () => run.onUnanswered(`${request.method} ${request.url}`));
    },
    close: () => Promise.resolve(),
  };
}

function orderOf({ headers }: HttpRequest, options: RequestOptions, { teamId }: Execution): SendOrder {
  return { kind: 'send', teamId, options, idempotencyKey: headers['idempotency-key'] ?? '' };
}

/** @throws AgentError, PermanentJobError for a request that cannot be sent. */
function answerOf(answer: SentAnswer, onUnanswered: () => void) {
  if (answer.kind === 'error') {
    throw answer.isPermanent ? new PermanentJobError(answer.message) : new AgentError(answer.message);
  }
  if (answer.kind === 'none') {
    onUnanswered();
    const { reason, forbidden } = answer;
    const origin: AnswerOrigin = answer.isSent ? 'sent' : 'none';
    return cameFrom(origin, { answered: false, reason, forbidden, interrupted: false });
  }
  return cameFrom('sent', responseOf(answer));
}

function responseOf({ status, headers, event, note }: SentAnswer & { kind: 'response' }): HttpResponse {
  const { status: _, headers: __, ...read } = parseJson(event) as JsonObject;
  const response: HttpResponse = { answered: true, status, headers, body: Buffer.alloc(0), read };
  return note === undefined ? response : { ...response, note };
}
