import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/outbound/http-exchange.js';

/** The last answer to a request for a token. */
export interface HeardAnswer {
  host: string;
  /** Undefined: there was no response. */
  status: number | undefined;
  /** The error code of a token endpoint (RFC 6749 §5.2). */
  code: string | undefined;
}

/** The codes that a token endpoint may give. Any other text of the response may quote a secret, and is left out. */
const CODE =
  /"error"\s*:\s*"(invalid_request|invalid_client|invalid_grant|unauthorized_client|unsupported_grant_type|invalid_scope)"/;
/** Larger responses are not searched. */
const MAX_SEARCHED_BYTES = 64 * 1024;

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
        last = { host, status: undefined, code: undefined };
        const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
        const timeoutMs = Math.min(request.timeoutMs ?? leftMs, leftMs);
        const answer = await http.request({ ...request, timeoutMs });
        if (answer.answered) last = { host, status: answer.status, code: codeIn(answer) };
        return answer;
      },
      close: () => http.close(),
    },
    heard: () => last,
  };
}

function codeIn({ status, body }: HttpResponse): string | undefined {
  if (status < 400 || body.length > MAX_SEARCHED_BYTES) return undefined;
  return CODE.exec(body.toString())?.[1];
}
