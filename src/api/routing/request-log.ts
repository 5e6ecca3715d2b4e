import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Actor } from '../auth/actor.js';
import type { Logger } from '../../platform/logger.js';
import { loggablePath } from '../../platform/http/address/loggable-path.js';
import { requestIdOf } from '../../platform/http/server/request-id.js';

/** Set by the handlers of a request, for its log line. */
interface LoggedLocals {
  route?: string;
  actor?: Actor;
  /** The run that a webhook request started. */
  run?: { guid: string; storyId: number; agentId: number };
}

/**
 * Logs one line for each request, always with the same keys. Never logs the query or possible secrets in the path
 * (`loggablePath`). An accepted webhook request is logged at level `debug`: its event says more, and logging it would
 * cost a third of the work of accepting it.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    if (!logger.isLevelEnabled('info')) return next();
    const startedAt = performance.now();
    // Read the path now: routers change `req.url` while they handle the request.
    const path = req.path;
    res.once('close', () => {
      const level = res.statusCode < 400 && WEBHOOK.test(path) ? 'debug' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      const { route, actor, run } = res.locals as LoggedLocals;
      logger.log(level, 'request', {
        method: req.method,
        route: route ?? null,
        path: loggablePath(path, route),
        status: res.statusCode,
        duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        request_id: requestIdOf(res),
        tenant_id: actor?.tenantId ?? null,
        user_id: actor?.userId ?? null,
        key_id: actor?.sessionId === undefined ? (actor?.keyId ?? null) : null,
        ...(actor?.sessionId !== undefined && { session_id: actor.sessionId }),
        ip: req.ip ?? null,
        aborted: !res.writableFinished,
        story_run_guid: run?.guid ?? null,
        story_id: run?.storyId ?? null,
        agent_id: run?.agentId ?? null,
      });
    });
    next();
  };
}

const WEBHOOK = /^\/webhook\//i;
