import http from 'node:http';
import type { Express, Request, Response } from 'express';
import { refuseClientError } from './client-error.js';

/** To send all headers, and the whole request: slower senders only hold connections (slow loris). */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
/** Longer than the idle time of usual load balancers (60 s), so that they never reuse a closed connection. */
const KEEP_ALIVE_MS = 65_000;
/** Of the address and all headers: a query may hold lists of a thousand ids. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * The HTTP server of an Express application; call `listen` on it. Express changes the prototypes of each request
 * and response, which costs two thirds of the throughput; here they are made with those prototypes (STACK §7.1).
 */
export function createServer(app: Express): http.Server {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as Response;
  const server = http.createServer(
    {
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 5_000,
      // The application refuses those without one itself, in the shape of all errors.
      requireHostHeader: false,
    },
    app,
  );
  server.on('clientError', refuseClientError);
  // An expectation nobody knows keeps no webhook out: it may be passed over (RFC 9110 §10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  return server;
}
