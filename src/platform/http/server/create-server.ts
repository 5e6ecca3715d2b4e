import http from 'node:http';
import type { Express, Request, Response } from 'express';
import type { Logger } from '../../logger.js';
import { refuseClientError } from './client-error.js';
import { type RequestedLimits, connectionLimits } from './connection-limits.js';
import type { ConnectionTimes } from './connection-state.js';
import { keepConnections } from './keep-connections.js';
import { toOriginForm } from '../address/origin-form.js';

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
