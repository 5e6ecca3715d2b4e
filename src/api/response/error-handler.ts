import type { ErrorRequestHandler } from 'express';
import { NO_REFUSED_CALLS, type RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import { CommitUnknown, isTransient } from '../../platform/mysql/db-errors.js';
import { AppError, messageOf, OutcomeUnknown, Unavailable } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { requestIdOf } from '../../platform/http/server/request-id.js';

/** Errors of Express and its body parser (package http-errors). */
interface HttpError extends Error {
  status: number;
  expose?: boolean;
  type?: string;
}

/** Messages that replace those of the body parser, by type of error. */
const PARSER_MESSAGES: Record<string, string> = {
  'entity.too.large': 'The body is larger than this server accepts',
  'encoding.unsupported': 'The content-encoding is not supported; use gzip, deflate, br or none',
  'request.aborted': 'The body ended early',
  'request.size.invalid': 'The body length does not match content-length',
};

/** Responds to every error in the format of spec §1.3. An unexpected error is logged with its stack and becomes a 500. */
export function errorHandler(logger: Logger, refused: RefusedCalls = NO_REFUSED_CALLS): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const raised = toAppError(error);
    const known = isRefusal(raised) ? refused.judge(req.ip, raised) : raised;
    const context = { method: req.method, route: res.locals['route'] ?? null, request_id: requestIdOf(res) };
    if (known === undefined) logger.error('a request failed', { ...context, error });
    else if (known.status === 503)
      logger.warn('could not serve a request', { ...context, error: messageOf(error) });
    // A response that was started cannot become an error: close the connection, so that the client sees it as cut off.
    if (res.headersSent) return void req.socket.destroy();
    const { status, problems, headers } = known ?? new AppError(500, 'Internal server error');
    return res.status(status).set(headers).json({ errors: problems });
  };
}

/** Returns true if the request was refused because of its key, its rights or its rate, not because of its content. */
function isRefusal(error: AppError | undefined): error is AppError {
  return error !== undefined && [401, 403, 429].includes(error.status);
}

/** Returns the error as a client may see it; undefined for an internal error. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (isHttpError(error))
    return new AppError(error.status, PARSER_MESSAGES[error.type ?? ''] ?? error.message);
  if (error instanceof CommitUnknown)
    return new OutcomeUnknown(
      'The database did not confirm whether this was stored: check before you try again',
      {
        cause: error,
      },
    );
  if (isTransient(error))
    return new Unavailable('The database is temporarily unavailable; try again', { cause: error });
  return undefined;
}

function isHttpError(error: unknown): error is HttpError {
  if (!(error instanceof Error)) return false;
  const { status, expose } = error as Partial<HttpError>;
  // Errors of the router (a path that cannot be decoded) have a status but do not say `expose`.
  return typeof status === 'number' && status >= 400 && status < 500 && expose !== false;
}
