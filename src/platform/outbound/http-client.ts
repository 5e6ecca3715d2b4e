import { createConnectionSlots } from './http/connection-slots.js';
import { createConnections } from './http/connections.js';
import type { HttpClient, HttpRequest } from './http-exchange.js';
import { createHopRules, type OutboundRules } from './addresses/hop-rules.js';
import { noResponse } from './http/no-response.js';
import { productVersion } from './product-version.js';
import { followRedirects, HopRefused, type Progress } from './http/redirects.js';

export interface HttpClientOptions extends OutboundRules {
  /** Timeout of a request that sets none. */
  timeoutMs: number;
  /** The longest timeout that a request may set; no limit if absent. */
  maxTimeoutMs?: number;
  /** Size limit of a body, received and after decompression. */
  maxResponseBytes: number;
  /** Sent with requests that set none; default: `Fabula/<version>`. */
  userAgent?: string;
  /** Per group. Should equal the number of concurrent requests: a waiting request uses up its timeout. */
  connectionsPerOrigin?: number;
  /** Additional trusted certificates (PEM). */
  ca?: string;
}

/** Default of `connectionsPerOrigin`. */
const CONNECTIONS_PER_ORIGIN = 32;

/** Creates an HTTP client that reaches only what the operator allows (docs/build/agents.md, Outbound; decision 0027). */
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
      const pools = connections.forTls(verifiesTls(request, options));
      const { clientCertificate: shown } = request;
      try {
        const response = followRedirects(withOwnHeaders(request, userAgent), {
          ...channel,
          pools,
          ...(shown && { ownPools: connections.showing(shown, verifiesTls(request, options)) }),
        });
        return await Promise.race([response, deadline.passed]);
      } catch (error) {
        if (error instanceof HopRefused) throw error.cause;
        const [timedOut, interrupted] = [deadline.timedOut(), deadline.interrupted()];
        return noResponse(error, { ...progress, timedOut, interrupted, cappedMs });
      } finally {
        deadline.clear();
      }
    },
    close() {
      connections.close();
      return Promise.resolve();
    },
  };
}

/** Returns the operator's limit if the request asks for more. The default timeout is not limited by it. */
function capOf({ timeoutMs = 0 }: HttpRequest, { maxTimeoutMs = timeoutMs }: HttpClientOptions) {
  return timeoutMs > maxTimeoutMs ? maxTimeoutMs : undefined;
}

function verifiesTls(request: HttpRequest, { requireTls = false }: HttpClientOptions): boolean {
  return (request.verifyTls ?? true) || request.alwaysVerifyTls === true || requireTls;
}

/** Callers may not set these: the host follows from the URL, and the proxy's headers are the operator's. */
const NOT_THE_CALLERS = ['host', 'proxy-authorization'];

function withOwnHeaders(request: HttpRequest, userAgent: string): HttpRequest {
  const headers = { 'user-agent': userAgent, ...request.headers };
  const kept = Object.entries(headers).filter(([name]) => !NOT_THE_CALLERS.includes(name));
  return { ...request, headers: Object.fromEntries(kept) };
}

/** The end of a request: its timeout, or its caller's abort. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects at the deadline. */
  readonly passed: Promise<never>;
  timedOut(): boolean;
  /** The caller aborted the request. */
  interrupted(): boolean;
  /** Must be called when the request is done. */
  clear(): void;
}

/** Creates a deadline in `timeoutMs`, or when `outer` aborts, whichever is first. */
function createDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let cause: 'time' | 'outer' | undefined;
  let refuse: ((reason: Error) => void) | undefined;
  const passed = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const end = (why: 'time' | 'outer') => {
    cause ??= why;
    controller.abort();
    refuse?.(controller.signal.reason as Error);
  };
  const onOuter = () => end('outer');
  const timer = setTimeout(() => end('time'), timeoutMs);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    passed,
    timedOut: () => cause === 'time',
    interrupted: () => cause === 'outer',
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
