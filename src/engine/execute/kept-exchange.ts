import type { AgentLogEntry } from '../state/outcome.js';
import { responseToKeep } from '../secrets/redaction/response-to-keep.js';
import type { AgentCall } from './call/call.js';
import { causeOfResponse } from './failure-cause.js';

type KeptExchange = Pick<AgentLogEntry, 'request' | 'response' | 'status' | 'cause'>;

/**
 * Returns what is kept of the exchange that an execution had last, if it failed or logged an error. `status`: that of the
 * response which the error is about; the response is its cause then.
 */
export function keptExchange({ sent, secrets }: AgentCall, status: number | undefined): KeptExchange {
  const request = sent?.last;
  const received = sent?.received;
  if (received === undefined) return { request, status: request === undefined ? status : 0 };
  const opened = secrets();
  const { json, text } = responseToKeep(received, opened);
  // A parser may unescape a secret that the text hid.
  const mask = (message: string) => opened.redactText(message);
  const isCause = status === received.response.status;
  return {
    request,
    response: json,
    status: received.response.status,
    cause: isCause ? causeOfResponse(status, text, mask) : undefined,
  };
}
