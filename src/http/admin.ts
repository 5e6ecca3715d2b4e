import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from '../logger.js';
import { messageOf } from '../errors.js';
import { type AdminAccount, adminAuth, sameSiteOnly } from './admin-auth.js';
import { toAppError } from './error-handler.js';

/** Where the board is. */
export const ADMIN_PATH = '/admin/queues';

export interface AdminOptions {
  account: AdminAccount;
  queues: readonly Queue[];
  logger: Logger;
}

/** Bull Board with every queue, behind the administrator's password. Mount it at `ADMIN_PATH`. */
export function createAdminRouter({ account, queues, logger }: AdminOptions): Router {
  const router = Router();
  router.use(logged, adminAuth(account), sameSiteOnly, boardPolicy(), cacheable, board(queues, logger));
  return router;
}

function logged(_req: Request, res: Response, next: NextFunction): void {
  res.locals['route'] = ADMIN_PATH;
  next();
}

/**
 * The board's own policy: its files and inline styles, and no other host. Its page asks for a Google font; that is
 * blocked, and the system's fonts serve. No upgrade to https: the board must work over plain http inside a network.
 */
function boardPolicy() {
  return helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}

/** The board's scripts and styles have a hash in their names; its data must not be kept. */
function cacheable(req: Request, res: Response, next: NextFunction): void {
  if (req.path.startsWith('/static/')) res.setHeader('Cache-Control', 'private, max-age=86400');
  next();
}

function board(queues: readonly Queue[], logger: Logger): Router {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(ADMIN_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Fabula' } },
  });
  // The board's own handler tells the reason, in development with a stack; here it goes to the log.
  serverAdapter.setErrorHandler((error) => {
    if (toAppError(error)?.status === 400) {
      return { status: 400, body: { error: { key: 'ERRORS.INVALID_REQUEST_BODY' } } };
    }
    logger.warn('the board could not be served', { error: messageOf(error) });
    return { status: 500, body: { error: { key: 'ERRORS.REDIS_UNAVAILABLE' } } };
  });
  return serverAdapter.getRouter() as Router;
}
