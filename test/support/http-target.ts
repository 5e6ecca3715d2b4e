import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { JsonValue } from '../../src/platform/json.js';

/** A request as the target received it. */
export interface ReceivedRequest {
  method: string;
  /** Path and query as sent. */
  url: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Buffer;
  text: string;
}

/** The target's response: none at all, ever, with `hang`. */
export interface TargetResponse {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** Objects and lists are sent as JSON. */
  body?: Buffer | JsonValue;
  delayMs?: number;
  /** The response waits for it. */
  after?: Promise<unknown>;
  hang?: boolean;
  /** Closes the connection instead of answering. */
  reset?: boolean;
  /** Address for `location`, with status 302 unless another is given. */
  redirect?: string;
  /** Sends one byte of the body in each interval, so that the response takes long without ever pausing. */
  dripMs?: number;
}

export type TargetRule = TargetResponse | ((request: ReceivedRequest, count: number) => TargetResponse);

export type HttpTarget = Awaited<ReturnType<typeof startHttpTarget>>;

/**
 * A local HTTP(S) server on a free port that records requests and answers them by rules. A rule is for a path
 * (`/a`), or for a method and a path (`POST /a`); the last one given wins; others get 404.
 */
export async function startHttpTarget(
  options: { host?: string; tls?: { key: string; cert: string }; rules?: Record<string, TargetRule> } = {},
) {
  const requests: ReceivedRequest[] = [];
  const rules = new Map<string, TargetRule>(Object.entries(options.rules ?? {}));
  const waiting = new Set<() => void>();
  let abandoned = 0;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    void respond(request, response);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await receive(request);
    requests.push(received);
    for (const wake of waiting) wake();
    const rule = rules.get(`${received.method} ${received.path}`) ??
      rules.get(received.path) ?? { status: 404 };
    const count = requests.filter(({ path }) => path === received.path).length;
    await writeResponse(response, typeof rule === 'function' ? rule(received, count) : rule);
  };
  const server = options.tls === undefined ? createServer(handle) : createTlsServer(options.tls, handle);
  const port = await listen(server, options.host ?? '127.0.0.1');
  return {
    port,
    url: `${options.tls === undefined ? 'http' : 'https'}://${options.host ?? '127.0.0.1'}:${port}`,
    requests,
    /** Sets or replaces the response for a path or `METHOD /path`. */
    on(where: string, rule: TargetRule): void {
      rules.set(where, rule);
    },
    /** Resolves when `count` requests have come in all; rejects after `timeoutMs`. */
    async waitForRequests(count: number, timeoutMs = 20_000): Promise<ReceivedRequest[]> {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`only ${requests.length} of ${count} requests came`));
        }, timeoutMs);
        const check = () => {
          if (requests.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
      return requests;
    },
    /** How many requests were given up before they had their response. */
    abandoned: () => abandoned,
    clear(): void {
      requests.length = 0;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const body = await buffer(request);
  const url = new URL(request.url ?? '/', 'http://target');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
    text: body.toString('utf8'),
  };
}

async function writeResponse(response: ServerResponse, rule: TargetResponse): Promise<void> {
  if (rule.hang === true) return;
  await rule.after;
  if (rule.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, rule.delayMs));
  if (rule.reset === true) {
    response.destroy();
    return;
  }
  const isJson = typeof rule.body === 'object' && rule.body !== null && !Buffer.isBuffer(rule.body);
  response.writeHead(rule.status ?? (rule.redirect === undefined ? 200 : 302), {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(rule.redirect === undefined ? {} : { location: rule.redirect }),
    ...rule.headers,
  });
  const body = bytesOf(rule.body ?? '');
  if (rule.dripMs === undefined) response.end(body);
  else drip(response, body, rule.dripMs);
}

function bytesOf(body: Buffer | JsonValue): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function drip(response: ServerResponse, body: Buffer, intervalMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= body.length || response.destroyed) {
      clearInterval(timer);
      response.end();
      return;
    }
    response.write(body.subarray(at, at + 1));
    at += 1;
  }, intervalMs);
}
