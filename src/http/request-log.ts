import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Actor } from '../auth/actor.js';
import type { Logger } from '../logger.js';
import { requestIdOf } from './request-id.js';

/** Set by whoever handles a request, for its log line. */
interface LoggedLocals {
  route?: string;
  actor?: Actor;
}

/**
 * One line for each request, with the same keys on all of them. Never the query, nor what follows the first part
 * of a webhook's path: both hold secrets.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    if (!logger.isLevelEnabled('info')) return next();
    const startedAt = performance.now();
    // Taken now: routers change `req.url` while they handle the request.
    const path = loggablePath(req.path);
    res.once('close', () => {
      const { route, actor } = res.locals as LoggedLocals;
      logger.info('request', {
        method: req.method,
        route: route ?? null,
        path,
        status: res.statusCode,
        duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        request_id: requestIdOf(res),
        tenant_id: actor?.tenantId ?? null,
        user_id: actor?.userId ?? null,
        key_id: actor?.keyId ?? null,
        ip: req.ip ?? null,
        aborted: !res.writableFinished,
      });
    });
    next();
  };
}

/** The path without what may be a secret: of a webhook's address, only `/webhook/<path>`. */
export function loggablePath(path: string): string {
  const [, webhook] = /^(\/webhook\/[^/]*)/i.exec(path) ?? [];
  return webhook ?? path;
}
