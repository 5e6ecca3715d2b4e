import type { HttpClient, HttpRequest } from '../../../platform/outbound/http-exchange.js';

/** The last answer to a request for a token. */
export interface HeardAnswer {
  host: string;
  /** Undefined: there was no response. */
  status: number | undefined;
}

/**
 * Returns a client that sends by another one, and a function that gives the last answer that it got, if any. All its
 * requests together may take `totalMs` from now.
 */
export function createHearingClient(
  http: HttpClient,
  totalMs: number,
): { client: HttpClient; heard: () => HeardAnswer | undefined } {
  const endMs = performance.now() + totalMs;
  let last: HeardAnswer | undefined;
  return {
    client: {
      async request(request: HttpRequest) {
        const { host } = new URL(request.url);
        last = { host, status: undefined };
        const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
        const timeoutMs = Math.min(request.timeoutMs ?? leftMs, leftMs);
        const answer = await http.request({ ...request, timeoutMs });
        if (answer.answered) last = { host, status: answer.status };
        return answer;
      },
      close: () => http.close(),
    },
    heard: () => last,
  };
}
