import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import { NotFound } from '../../platform/errors.js';
import { hostnameOf } from '../../platform/addresses/host-name.js';

/**
 * For platforms with one port: requests for the host name of `adminOrigin` reach only the board, and requests for any
 * other name never reach it. Without a router there is no board. Ports are not compared, because cookies ignore ports.
 */
export function adminHost(adminOrigin: string, router: Router | undefined): RequestHandler {
  const wanted = new URL(adminOrigin).hostname;
  return (req: Request, res: Response, next: NextFunction) => {
    // Check both the name forwarded by a trusted proxy and the Host header: one match is enough to exclude tenants.
    const isAdmin = [req.host, req.headers.host].some((host) => hostnameOf(host) === wanted);
    if (!isAdmin) return next();
    if (router === undefined) throw new NotFound(`${req.method} ${req.path}`);
    router(req, res, next);
  };
}
