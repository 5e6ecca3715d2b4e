import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response } from 'express';
import type { Logger } from '../../logger.js';
import type { Problem } from '../../errors.js';
import { type RequestedLimits, connectionLimits } from './connection-limits.js';
import type { ConnectionTimes } from './connection-state.js';
import { keepConnections } from './keep-connections.js';

/** `http://host:80` at the start of a request's target. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;

/** Responses by the error code of Node's HTTP parser; any other code is a 400. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The address and headers are longer than this server accepts',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
};
const MALFORMED = { status: 400, message: 'The request is not valid HTTP' };

/** Timeouts of a server towards its clients. */
export interface ServerTimes extends ConnectionTimes {
  /** For all headers, and for the whole request: slower senders only occupy connections (slow loris). */
  headersMs: number;
  requestMs: number;
  /** Longer than the idle timeout of usual load balancers (60 s), so that they never reuse a closed connection. */
  keepAliveMs: number;
  /** Interval between checks of all connections; `headersMs` and `requestMs` are checked at five times this interval. */
  lookEveryMs: number;
}

export interface ServerOptions {
  logger?: Logger;
  /** Default: derived from the limit of open files. */
  limits?: RequestedLimits;
  times?: Partial<ServerTimes>;
}

const TIMES: ServerTimes = {
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 65_000,
  lingerMs: 2_000,
  stalledMs: 60_000,
  lookEveryMs: 1_000,
};
/** Limit for the URL and all headers: a query may hold lists of a thousand ids. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Creates the HTTP server of an Express application; call `listen` on it. Its connections are limited in number and
 * time (decision 0031). Express changes the prototypes of each request and response, which costs two thirds of the
 * throughput; here they are created with those prototypes.
 */
export function createServer(app: Express, options: ServerOptions = {}): http.Server {
  const times = { ...TIMES, ...options.times };
  const server = http.createServer(
    { ...classesOf(app), ...nodeTimes(times), ...HTTP_OPTIONS },
    (request, response) => {
      toOriginForm(request);
      app(request, response);
    },
  );
  server.on('clientError', refuseClientError);
  // An unknown `Expect` value must not block a webhook: RFC 9110 §10.1.1 allows to ignore it.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  keepConnections(server, {
    ...times,
    limits: connectionLimits(options.limits ?? {}),
    isProxy: (address) => isProxy(address, 0),
    logger: options.logger,
  });
  return server;
}

const HTTP_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  // The application itself rejects requests without a Host, in the format of all errors.
  requireHostHeader: false,
};

function nodeTimes({ headersMs, requestMs, keepAliveMs, lookEveryMs }: ServerTimes) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 5 * lookEveryMs,
  };
}

function classesOf(app: Express) {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** A socket with the response it is sending; Node's own handler reads the same field. */
interface AnsweringSocket {
  _httpMessage?: { headersSent: boolean } | null;
}

/**
 * Responds to a request that is not valid HTTP in the error format of spec §1.3, and closes the connection. If a
 * response is already being sent, more bytes would become part of it: then the connection is only closed.
 */
function refuseClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const sending = (socket as AnsweringSocket)._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || sending || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const errors: Problem[] = [{ message }];
  const body = JSON.stringify({ errors });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      `X-Request-Id: ${randomUUID()}`,
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

/**
 * Turns a request in absolute form (`GET http://host/path`, as to a proxy; RFC 9112 §3.2.2) into the usual form. One whose
 * host is not that of the `Host` header stays, and is refused: two servers could read it as two requests.
 */
function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [prefix, host] = ABSOLUTE.exec(url) ?? [];
  if (prefix === undefined || host === undefined) return;
  if (headers.host !== undefined && headers.host.toLowerCase() !== host.toLowerCase()) return;
  const rest = url.slice(prefix.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  headers.host = host;
}
