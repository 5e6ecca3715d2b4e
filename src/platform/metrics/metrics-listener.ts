import { createHash, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

const PATH = '/metrics';
/** Ports that are tried one after the other: as many processes may share one setting on one machine. */
const MOST_PORTS = 32;
const LAST_PORT = 65_535;
const MOST_CONNECTIONS = 32;
const TIMES = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 };

export interface MetricsListenerOptions {
  host: string;
  /** The first port that is tried; 0: any free one. */
  port: number;
  /** Readers must send it as bearer token; undefined: anybody may read. */
  token: string | undefined;
  contentType: string;
  /** Returns the metrics. */
  text(): Promise<string>;
  logger: Logger;
}

/** Serves `GET /metrics` on a port of its own. */
export interface MetricsListener {
  /** Begins to listen. If no port can be taken, the process goes on without metrics and logs a warning. */
  listen(): void;
  /** Closes all connections at once: no work depends on them. */
  close(): Promise<void>;
}

/** Creates the listener. If the port is in use, it takes the next free one: each process has its own. */
export function createMetricsListener(options: MetricsListenerOptions): MetricsListener {
  const { host, port: first, logger } = options;
  const server = http.createServer(TIMES, (request, response) => {
    respond(request, response, options).catch((error: unknown) => {
      logger.warn('could not read metrics', { error: messageOf(error) });
      if (!response.headersSent) send(response, 500, 'Could not read metrics\n');
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  let port = first;
  server.on('error', (error: NodeJS.ErrnoException) => {
    const hasNext = first !== 0 && port + 1 < first + MOST_PORTS && port < LAST_PORT;
    if (error.code !== 'EADDRINUSE' || !hasNext) {
      logger.warn('metrics are unavailable: cannot listen on METRICS_HOST and METRICS_PORT', {
        host,
        port,
        error,
      });
      return;
    }
    port += 1;
    server.listen(port, host);
  });
  server.on('listening', () => logger.info('metrics are served', addressOf(server, first)));
  return {
    listen: () => void server.listen(port, host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addressOf(server: http.Server, asked: number): Record<string, unknown> {
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port, ...(asked !== 0 && port !== asked && { instead_of: asked }) };
}

async function respond(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  options: MetricsListenerOptions,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (path !== PATH) return send(response, 404, `The metrics are at ${PATH}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return send(response, 405, 'Only GET is allowed\n', { Allow: 'GET, HEAD' });
  }
  if (options.token !== undefined && !bears(request, options.token)) {
    return send(response, 401, 'METRICS_TOKEN is required\n', { 'WWW-Authenticate': 'Bearer' });
  }
  send(response, 200, await options.text(), { 'Content-Type': options.contentType });
}

/** Compares digests, so that the time tells nothing of the token. */
function bears({ headers }: http.IncomingMessage, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function send(
  response: http.ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
