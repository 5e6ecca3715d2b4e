import type { NextFunction, Request, Response } from 'express';
import type { Authenticator } from '../auth/authenticator.js';
import { AppError, MethodNotAllowed } from '../../platform/errors.js';
import { createAllowedMethods } from './allowed-methods.js';
import { findMissingEndpoint } from './missing-endpoints.js';
import { identifyByKey, type Identify } from '../request/identify.js';
import type { RouteLimits } from '../request/route-limits.js';
import type { AnyRoute } from '../route.js';

interface UnknownEndpointDeps {
  authenticator: Pick<Authenticator, 'authenticate'>;
  routes: readonly Pick<AnyRoute<never>, 'method' | 'path'>[];
  /** Same option as in `mountRoutes`. */
  identify?: Identify | undefined;
  /** Absent: no limits. */
  limits?: RouteLimits;
}

/** Creates the handlers of requests that no route serves. Like routes, they need a key first, and count as requests. */
export function createUnknownEndpoints({ authenticator, identify, limits, routes }: UnknownEndpointDeps) {
  const allowedMethods = createAllowedMethods(routes);
  const actorOf = identify ?? identifyByKey(authenticator);
  const requireKey = async (req: Request, res: Response): Promise<void> => {
    const actor = await actorOf(req);
    await limits?.check({}, actor, res);
  };
  return {
    /**
     * Comes before the routes. @throws AppError with the reason, for an endpoint that is known to be missing: 404, or 405 if its
     * path is served with other methods.
     */
    refuseMissing: async (req: Request, res: Response, next: NextFunction): Promise<void> => {
      const missing = findMissingEndpoint(req.method, req.path);
      if (missing !== undefined) {
        res.locals['route'] = missing.path;
        await requireKey(req, res);
        const reason = `${req.method} ${missing.path} is not supported here: ${missing.reason}`;
        const allow = allowedMethods(req.baseUrl + req.path);
        throw allow === undefined ? new AppError(404, reason) : new MethodNotAllowed(allow, reason);
      }
      next();
    },

    /**
     * Comes after the routes. @throws Unauthorized without a key, so that a stranger cannot tell which routes exist;
     * MethodNotAllowed if routes serve the path with other methods.
     */
    requireKeyFirst: async (req: Request, res: Response, next: NextFunction): Promise<void> => {
      await requireKey(req, res);
      const allow = allowedMethods(req.baseUrl + req.path);
      if (allow !== undefined) {
        throw new MethodNotAllowed(allow, `${req.method} is not supported here; use ${allow}`);
      }
      next();
    },
  };
}
