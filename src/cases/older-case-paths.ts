import type { NextFunction, Request, Response } from 'express';

/** Serves `/api/v1/cases`, an older name of `/api/v2/cases`, with the same routes. */
export function olderCasePaths(req: Request, _res: Response, next: NextFunction): void {
  req.url = req.url.replace(/^\/api\/v1\/cases(?=[/?]|$)/, '/api/v2/cases');
  next();
}
