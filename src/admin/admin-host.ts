import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import { NotFound } from '../platform/errors.js';
import { hostnameOf } from '../platform/text/host-name.js';

/**
 * For platforms with one port: what comes for the name of `adminOrigin` gets the board, and nothing that tenants serve; what
 * comes for any other name never gets the board. Without a router there is none. Ports are not looked at: cookies know none.
 */
export function adminHost(adminOrigin: string, router: Router | undefined): RequestHandler {
  const wanted = new URL(adminOrigin).hostname;
  return (req: Request, res: Response, next: NextFunction) => {
    // The name that a trusted proxy passes on, and the one that the request bears: either keeps tenants out.
    const isAdmin = [req.host, req.headers.host].some((host) => hostnameOf(host) === wanted);
    if (!isAdmin) return next();
    if (router === undefined) throw new NotFound(`${req.method} ${req.path}`);
    router(req, res, next);
  };
}
