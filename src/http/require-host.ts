import type { NextFunction, Request, Response } from 'express';
import { BadRequest } from '../errors.js';

/** HTTP/1.1 wants a `Host` (RFC 9112 §3.2). Node would say so itself, but in no shape that callers of an API know. */
export function requireHost(req: Request, res: Response, next: NextFunction): void {
  if (req.httpVersion !== '1.1' || req.headers.host !== undefined) return next();
  // As Node does: what comes next on such a connection is not worth waiting for.
  res.set('Connection', 'close');
  throw new BadRequest('The request has no Host header');
}
