import { createConnectionSlots } from './connection-slots.js';
import { createConnections } from './connections.js';
import { createDeadline } from './deadline.js';
import type { HttpClient, HttpRequest } from './http-exchange.js';
import { createHopRules, type OutboundRules } from './hop-rules.js';
import { noAnswer } from './no-answer.js';
import { productVersion } from './product-version.js';
import { followRedirects, HopRefused, type Progress } from './redirects.js';

export interface HttpClientOptions extends OutboundRules {
  /** Limit for a whole request that names none itself. */
  timeoutMs: number;
  /** The most that a request may name; as much as it likes unless given. */
  maxTimeoutMs?: number;
  /** Limit of a body, on the wire and after decompression. */
  maxResponseBytes: number;
  /** Sent by requests that name no other; `Fabula/<version>` unless given. */
  userAgent?: string;
  /** Of one group. As many as requests may be under way at once: one that waits uses up its time. */
  connectionsPerOrigin?: number;
  /** Certificates trusted besides the usual ones (PEM). */
  ca?: string;
}

/** Unless more requests may be under way at once. */
const CONNECTIONS_PER_ORIGIN = 32;

/** An HTTP client that goes only where the operator lets it (docs/agents.md, Outbound; decision 0027). */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const rules = createHopRules(options);
  const connections = createConnections(rules, options);
  const slots = createConnectionSlots(options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN);
  const userAgent = options.userAgent ?? `Fabula/${productVersion()}`;
  const { maxResponseBytes } = options;
  return {
    async request(request) {
      const cappedMs = capOf(request, options);
      const deadline = createDeadline(cappedMs ?? request.timeoutMs ?? options.timeoutMs, request.signal);
      const progress: Progress = { url: request.url, waits: false };
      const channel = { rules, slots, signal: deadline.signal, maxResponseBytes, progress };
      const dispatcher = connections.forTls(verifiesTls(request, options));
      try {
        const answer = followRedirects(withOwnHeaders(request, userAgent), { ...channel, dispatcher });
        return await Promise.race([answer, deadline.passed]);
      } catch (error) {
        if (error instanceof HopRefused) throw error.cause;
        const [timedOut, interrupted] = [deadline.timedOut(), deadline.interrupted()];
        return noAnswer(error, { ...progress, timedOut, interrupted, cappedMs });
      } finally {
        deadline.clear();
      }
    },
    close: () => connections.close(),
  };
}

/** The operator's limit, where the request asks for more; what it gives to those that name none is not limited. */
function capOf({ timeoutMs = 0 }: HttpRequest, { maxTimeoutMs = timeoutMs }: HttpClientOptions) {
  return timeoutMs > maxTimeoutMs ? maxTimeoutMs : undefined;
}

function verifiesTls(request: HttpRequest, { requireTls = false }: HttpClientOptions): boolean {
  return (request.verifyTls ?? true) || request.alwaysVerifyTls === true || requireTls;
}

/** The host is that of the address, and what is said to a proxy is the operator's matter, whoever calls. */
const NOT_THE_CALLERS = ['host', 'proxy-authorization'];

function withOwnHeaders(request: HttpRequest, userAgent: string): HttpRequest {
  const headers = { 'user-agent': userAgent, ...request.headers };
  const kept = Object.entries(headers).filter(([name]) => !NOT_THE_CALLERS.includes(name));
  return { ...request, headers: Object.fromEntries(kept) };
}
