import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../http-exchange.js';
import { BodyTooLarge, collect } from './read-body.js';
import type { Cookies } from './cookies.js';
import { type DigestChallenge, digestAuthorization, digestChallenge } from './digest.js';
import { exchange, type Wire } from './exchange.js';
import { rawHeaderValues } from './response-head.js';

/** A body that nobody reads is discarded; a long one is not read to its end. */
const DISCARD_LIMIT = 64 * 1024;

/** The state of one request over its redirects. */
export interface Memory {
  cookies: Cookies;
  /** The challenge of an origin, and how often it was answered. */
  digests: Map<string, { challenge: DigestChallenge; count: number }>;
}

interface Visit extends Wire {
  memory: Memory;
}

/**
 * Sends a request to its URL, with the cookies that this origin has set before. A challenge to Digest authentication is
 * answered, once more if its nonce is stale.
 * @throws as `exchange`.
 */
export async function visit(request: HttpRequest, { memory, ...wire }: Visit): Promise<IncomingMessage> {
  const { url } = wire;
  for (let tries = 0; ; tries += 1) {
    const response = await exchange(withMemory(request, url, memory), wire);
    memory.cookies.keep(url, rawHeaderValues(response, 'set-cookie'));
    if (request.digest === undefined || response.statusCode !== 401) return response;
    const challenge = digestChallenge(rawHeaderValues(response, 'www-authenticate'));
    const isRefused = memory.digests.has(url.origin) && challenge?.isStale !== true;
    if (challenge === undefined || isRefused || tries === 2) return response;
    memory.digests.set(url.origin, { challenge, count: 0 });
    await discard(response);
    wire.signal.throwIfAborted();
  }
}

function withMemory(request: HttpRequest, url: URL, { cookies, digests }: Memory): HttpRequest {
  const cookie = cookies.headerFor(url, request.headers.cookie);
  const authorization = authorizationFor(request, url, digests.get(url.origin));
  return {
    ...request,
    headers: {
      ...request.headers,
      ...(cookie === undefined ? {} : { cookie }),
      ...(authorization === undefined ? {} : { authorization }),
    },
  };
}

function authorizationFor(
  { digest, method, body }: HttpRequest,
  url: URL,
  state: { challenge: DigestChallenge; count: number } | undefined,
): string | undefined {
  if (digest === undefined || state === undefined) return undefined;
  state.count += 1;
  const covered = { method, uri: `${url.pathname}${url.search}`, body };
  return digestAuthorization(state.challenge, digest, { covered, count: state.count });
}

/** A connection whose response is too long is not used again. */
export async function discard(response: IncomingMessage): Promise<void> {
  try {
    await collect(response, DISCARD_LIMIT);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error;
  }
}
