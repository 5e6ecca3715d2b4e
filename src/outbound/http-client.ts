import type { Dispatcher } from 'undici';
import { createConnections } from './connections.js';
import { noAnswer } from './no-answer.js';
import { productVersion } from './product-version.js';
import { followRedirects, HopRefused } from './redirects.js';

/** One request that leaves the machine. */
export interface HttpRequest {
  /** Absolute, http or https. */
  url: string;
  /** Upper case. */
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: Buffer;
  /** For the whole request, redirects and body included; the client's own limit unless given. */
  timeoutMs?: number;
  /** Default true; at most five. */
  followRedirects?: boolean;
  /** Default true. */
  verifyTls?: boolean;
  /** Certificates are verified, whatever `verifyTls` says: for requests that carry a secret. */
  alwaysVerifyTls?: boolean;
  /**
   * Called before each hop's connection, the first included. What it throws comes out of `request` as it is. `bare`:
   * a redirect went to another origin, so the caller's headers and body are left out, but for harmless headers.
   */
  checkHop?: (url: URL, hop: { bare: boolean }) => void;
  /** Ends the request early. */
  signal?: AbortSignal;
}

/** The other side answered; `body` is decompressed. */
export interface HttpAnswer {
  answered: true;
  status: number;
  /** Names in lower case; a name that came several times has its values joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** For the story's author: what was not done as the request asks, such as a redirect that was not followed. */
  note?: string;
}

/** There was no usable answer. */
export interface NoAnswer {
  answered: false;
  /** For a story's author: names the host at most, never the path, the query or a header. */
  reason: string;
  /** The caller's signal ended it: nothing is known about the other side. */
  interrupted: boolean;
}

export interface HttpClient {
  /**
   * Never throws for what the network or the other side does: that is a `NoAnswer`.
   * @throws what the request's `checkHop` throws.
   */
  request(request: HttpRequest): Promise<HttpAnswer | NoAnswer>;
  /** Ends idle connections and those in use. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** CIDRs or addresses that may be reached although they are not public. */
  allow: string[];
  /** Limit for a whole request that names none itself. */
  timeoutMs: number;
  /** Limit of a body, on the wire and after decompression. */
  maxResponseBytes: number;
  /** Sent by requests that name no other; `Fabula/<version>` unless given. */
  userAgent?: string;
  /** As many as requests may be under way at once: one that waits for a connection uses up its time. */
  connectionsPerOrigin?: number;
  /** Certificates trusted besides the usual ones (PEM). */
  ca?: string;
}

/** An HTTP client that refuses addresses of private networks at connect time (docs/agents.md, Outbound). */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const connections = createConnections(options);
  const userAgent = options.userAgent ?? `Fabula/${productVersion()}`;
  return {
    async request(request) {
      const deadline = createDeadline(request.timeoutMs ?? options.timeoutMs, request.signal);
      const dispatcher: Dispatcher = connections.forTls(verifiesTls(request));
      try {
        return await followRedirects(withUserAgent(request, userAgent), {
          dispatcher,
          signal: deadline.signal,
          maxResponseBytes: options.maxResponseBytes,
        });
      } catch (error) {
        if (error instanceof HopRefused) throw error.cause;
        return noAnswer(error, {
          url: request.url,
          timedOut: deadline.timedOut(),
          interrupted: deadline.interrupted(),
        });
      } finally {
        deadline.clear();
      }
    },
    close: () => connections.close(),
  };
}

function verifiesTls({ verifyTls = true, alwaysVerifyTls = false }: HttpRequest): boolean {
  return verifyTls || alwaysVerifyTls;
}

function withUserAgent(request: HttpRequest, userAgent: string): HttpRequest {
  return { ...request, headers: { 'user-agent': userAgent, ...request.headers } };
}

/** A signal that ends after `timeoutMs` or with `outer`, and knows which of the two it was. */
function createDeadline(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let cause: 'time' | 'outer' | undefined;
  const end = (why: 'time' | 'outer') => {
    cause ??= why;
    controller.abort();
  };
  const onOuter = () => end('outer');
  const timer = setTimeout(() => end('time'), timeoutMs);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => cause === 'time',
    interrupted: () => cause === 'outer',
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
