import { AgentError } from '../../platform/errors.js';
import type { HttpClient, HttpRequest } from '../../platform/outbound/http-exchange.js';
import type { TrialRequest } from './action-trial.js';
import { bodyValue } from '../answers/request-body-value.js';

/** Ends an action at the request that a trial does not send: what would come of it is not known. */
export class NotSent extends AgentError {
  constructor() {
    super('The request was not sent');
  }
}

/** Returns a client that notes requests and sends none. @throws NotSent for each; what its `checkHop` throws. */
export function unsendingClient(note: (request: TrialRequest) => void): HttpClient {
  return {
    request(request) {
      note({ ...shown(request), status: undefined });
      request.checkHop?.(new URL(request.url), { bare: false });
      return Promise.reject(new NotSent());
    },
    close: () => Promise.resolve(),
  };
}

/** Returns the client; it notes each request with the status of its response. */
export function notingClient(client: HttpClient, note: (request: TrialRequest) => void): HttpClient {
  return {
    async request(request) {
      const noted = shown(request);
      try {
        const answer = await client.request(request);
        note({ ...noted, status: answer.answered ? answer.status : 0 });
        return answer;
      } catch (error) {
        note({ ...noted, status: undefined });
        throw error;
      }
    },
    close: () => client.close(),
  };
}

const HIDDEN = '●●●';

/** Headers that hold a secret, and those for signing in, are not shown. */
function shown(request: HttpRequest): Omit<TrialRequest, 'status'> {
  const { method, url, headers, secretHeaders = [] } = request;
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    secretHeaders.includes(name) ? HIDDEN : value,
  ]);
  return {
    method,
    url,
    headers: Object.fromEntries(entries) as Record<string, string>,
    body: bodyValue(request),
  };
}
