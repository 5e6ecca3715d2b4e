import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { HttpClient, HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';
import type { ResponseHeaders } from '../../platform/headers/header-of.js';
import { cameFrom } from '../answers/answer-origin.js';
import type { PastEvent } from '../story/story-trial.js';

type Answer = HttpResponse | NoResponse;

/** The facts of a past run about the requests of one action for one inbound event. */
export interface PastAnswers {
  events: PastEvent[];
  /** The errors of its dead letters. */
  errors: string[];
}

/**
 * Returns a client that answers from a past run: the first request of an execution gets the first response, and so on, the
 * last one again if there are no more. `here`: what the past run says of the running execution, the same object for all of
 * its requests. Requests without a response go to `otherwise`.
 */
export function createRecordedClient(here: () => PastAnswers | undefined, otherwise: HttpClient): HttpClient {
  let now: PastAnswers | undefined;
  let answers: Answer[] = [];
  let next = 0;
  return {
    request(request) {
      const found = here();
      if (found !== now) {
        now = found;
        answers = found === undefined ? [] : answersOf(found);
        next = 0;
      }
      const answer = answers[next];
      if (answer === undefined) return otherwise.request(request);
      next += 1;
      return Promise.resolve(cameFrom('recorded', answer));
    },
    close: () => otherwise.close(),
  };
}

function answersOf({ events, errors }: PastAnswers): Answer[] {
  const recorded = events.flatMap(({ json }) => (json === null ? [] : inPayload(parseJson(json))));
  return recorded.length > 0 ? recorded : errors.slice(0, 1).map(failed);
}

/** Pages in one event, and the results of a loop, are lists of responses. */
function inPayload(payload: JsonValue): Answer[] {
  if (Array.isArray(payload)) return payload.flatMap(inPayload);
  if (!isJsonObject(payload)) return [];
  const { status, headers, error, ...read } = payload;
  if (typeof status === 'number') return [responseOf(status, headers, read)];
  if (!isJsonObject(error) || typeof error.message !== 'string') return [];
  return [typeof error.status === 'number' ? responseOf(error.status, {}, {}) : failed(error.message)];
}

function responseOf(status: number, headers: JsonValue | undefined, read: JsonObject): Answer {
  if (status === 0) return noResponse(typeof read.body === 'string' ? read.body : 'there was no response');
  const known = (isJsonObject(headers) ? headers : {}) as ResponseHeaders;
  return { answered: true, status, headers: known, body: Buffer.alloc(0), read };
}

const STATUS_IN_ERROR = / answered (\d{3})$/;

/** The error of a failed request names the status, and nothing else of the response. */
function failed(error: string): Answer {
  const [, status] = STATUS_IN_ERROR.exec(error) ?? [];
  return status === undefined ? noResponse(error) : responseOf(Number(status), {}, { body: '' });
}

function noResponse(reason: string): NoResponse {
  return { answered: false, reason, interrupted: false };
}
