import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../platform/errors.js';
import { makeResponse, sendResponse } from './responses/response.js';

/** How long the rest of a refused body is read and discarded before the connection is closed. */
const LINGER_MS = 2000;

/** 401: the secret or signature is wrong or missing. The response does not say which. */
export class WebhookUnauthorized extends AppError {
  constructor() {
    super(401, 'Unauthorized', { headers: { 'WWW-Authenticate': 'Basic realm="webhook"' } });
  }
}

/** Responds to a refused request with the error's status and message, as plain text. */
export function sendRefusal(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  const headers = isBrowser(request) ? withoutChallenge(error.headers) : error.headers;
  sendResponse(response, makeResponse(error.status, error.message, { headers }));
  if (!request.complete) cutLater(request);
}

/**
 * A browser that gets a password challenge shows a dialog in the name of this host. It then sends the typed password
 * to every webhook of this host, other tenants' too (RFC 7617 §2.2).
 */
function withoutChallenge(headers: Record<string, string>): Record<string, string> {
  const { 'WWW-Authenticate': _challenge, ...others } = headers;
  return others;
}

function isBrowser({ headers }: IncomingMessage): boolean {
  const says = headers['sec-fetch-site'] ?? headers['sec-fetch-mode'];
  return says !== undefined || /\btext\/html\b/i.test(headers.accept ?? '');
}

/**
 * Node reads and discards the rest of the body, so that the client sees the response instead of a broken connection.
 * A client that does not stop sending is disconnected.
 */
function cutLater(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}
