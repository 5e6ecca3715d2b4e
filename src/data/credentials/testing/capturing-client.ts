import type { HttpClient, HttpRequest } from '../../../platform/outbound/http-exchange.js';

/** The last response to a request for a token. */
export interface CapturedResponse {
  host: string;
  /** Undefined: there was no response. */
  status: number | undefined;
}

/**
 * Returns a client that sends by another one, and a function that returns the last response that it got, if any. All its
 * requests together may take `totalMs` from now.
 */
export function createCapturingClient(
  http: HttpClient,
  totalMs: number,
): { client: HttpClient; captured: () => CapturedResponse | undefined } {
  const endMs = performance.now() + totalMs;
  let last: CapturedResponse | undefined;
  return {
    client: {
      async request(request: HttpRequest) {
        const { host } = new URL(request.url);
        last = { host, status: undefined };
        const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
        const timeoutMs = Math.min(request.timeoutMs ?? leftMs, leftMs);
        const response = await http.request({ ...request, timeoutMs });
        if (response.answered) last = { host, status: response.status };
        return response;
      },
      close: () => http.close(),
    },
    captured: () => last,
  };
}
