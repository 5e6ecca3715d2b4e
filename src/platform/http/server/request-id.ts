import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** Allowed ids from a client or proxy: no characters that could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,100}$/;

/** Gives every request an id, the client's own if it is valid, and every response `X-Request-Id`. */
export function requestId(req: Request, res: Response, next: NextFunction): void {
  const given = req.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
  res.locals['requestId'] = id;
  res.setHeader('X-Request-Id', id);
  next();
}

/** The id of the request that belongs to `res`. */
export function requestIdOf(res: Response): string {
  return String(res.locals['requestId'] ?? '');
}
