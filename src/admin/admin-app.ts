import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import type { RedisClient } from '../platform/redis/redis-client.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import type { Config } from '../config/config.js';
import type { Database } from '../platform/mysql/database.js';
import { NotFound } from '../platform/errors.js';
import { responseHeaders } from '../platform/http/response-headers.js';
import { errorHandler } from '../api/error-handler.js';
import type { Queues } from '../engine/dispatch/queues.js';
import { requestId } from '../platform/http/request-id.js';
import { requestLog } from '../api/request-log.js';
import { requireHost } from '../platform/http/require-host.js';
import type { Logger } from '../platform/logger.js';
import { type AdminAccount, accountCheck } from './admin-account.js';
import { adminAuth, ownChangesOnly } from './admin-auth.js';
import { createAdminCookies } from './admin-cookies.js';
import { BOARD_PATH, RUNS_PATH } from './admin-paths.js';
import { createAdminSessions } from './admin-session.js';
import { boardAddress } from './board/board-address.js';
import { createBoard } from './board/board.js';
import { createBoardDeliveries } from './board/board-deliveries.js';
import { createBoardHistory } from './board/board-history.js';
import { createBoardAudit } from './board/board-audit.js';
import { createGuessLimits } from './guess-limits.js';
import { createRunRouter } from './run-page/run-router.js';
import { createSignedOut } from './signed-out.js';
import { createSignInRouter, type SignIn } from './sign-in-router.js';

export interface AdminDeps {
  config: Pick<
    Config,
    | 'adminUser'
    | 'adminPassword'
    | 'adminOrigin'
    | 'adminBoardWrite'
    | 'encryptionKey'
    | 'trustedProxies'
    | 'queuePrefix'
  >;
  logger: Logger;
  /** The queues on the board. */
  queues: Pick<Queues, 'at' | 'own' | 'known'>;
  audit: Pick<AuditTrail, 'record'>;
  redis: Pick<RedisClient, 'set' | 'exists'>;
  database: Pick<Database, 'read'>;
  /** Counts sign-ins; absent: they are not counted. */
  onSignIn?: ((outcome: SignIn) => void) | undefined;
}

/** Creates the router of the operator's origin; undefined without an account: then there is no board. */
export function createAdminRouter(deps: AdminDeps): Router | undefined {
  const { adminUser: user, adminPassword: password } = deps.config;
  return user === undefined || password === undefined ? undefined : adminRouter({ user, password }, deps);
}

function adminRouter(
  account: AdminAccount,
  { config, logger, queues, audit: trail, redis, database, onSignIn }: AdminDeps,
): Router {
  const { adminOrigin, adminBoardWrite, encryptionKey, queuePrefix } = config;
  const sessions = createAdminSessions(account, encryptionKey);
  const signedOut = createSignedOut({ redis, prefix: queuePrefix, logger });
  const audit = createBoardAudit(trail, account.user);
  const auth = {
    isAccount: accountCheck(account),
    cookies: createAdminCookies({ sessions, signedOut, adminOrigin }),
    limits: createGuessLimits(),
    adminOrigin,
  };
  const deliveries = createBoardDeliveries({ database, logger });
  const history = createBoardHistory({ database, logger });
  const router = Router();
  router.use(logged);
  router.get('/', (req: Request, res: Response) => res.redirect(303, boardAddress(req, BOARD_PATH)));
  // The audit comes before the check of the origin, so that refused changes of authenticated requests are recorded too.
  router.use(BOARD_PATH, adminAuth(auth), audit.changes, ownChangesOnly(adminOrigin));
  router.use(BOARD_PATH, createBoard({ queues, mayWrite: adminBoardWrite, deliveries, history, logger }));
  router.use(RUNS_PATH, adminAuth(auth), createRunRouter(database));
  router.use(ownChangesOnly(adminOrigin), createSignInRouter({ ...auth, audit, onSignIn }));
  router.use((req: Request) => {
    throw new NotFound(`${req.method} ${req.path}`);
  });
  return router;
}

function logged(_req: Request, res: Response, next: NextFunction): void {
  res.locals['route'] = '/admin';
  next();
}

/** Creates the application that serves the board on its own port. */
export function createAdminApp(
  router: Router,
  { config, logger }: Pick<AdminDeps, 'config' | 'logger'>,
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', config.trustedProxies.length > 0 ? config.trustedProxies : false);
  app.use(requestId, requestLog(logger), responseHeaders, requireHost, router, errorHandler(logger));
  return app;
}
