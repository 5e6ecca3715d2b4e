import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { AuditTrail } from '../../people/face.js';
import type { Config } from '../../config/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { NotFound } from '../../platform/errors.js';
import { responseHeaders } from '../../platform/http/server/response-headers.js';
import { errorHandler, requestLog } from '../../api/face.js';
import type { Queues } from '../../engine/face.js';
import type { RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import { requestId } from '../../platform/http/server/request-id.js';
import { requireHost } from '../../platform/http/address/require-host.js';
import type { Logger } from '../../platform/logger.js';
import { type AdminAccount, accountCheck } from './admin-account.js';
import { type AccountAuth, adminAuth, ownChangesOnly } from './admin-auth.js';
import { createAdminCookies } from './admin-cookies.js';
import { BOARD_PATH, CONSOLE_PATH, RUNS_PATH } from './admin-paths.js';
import { createAdminSessions } from './admin-sessions.js';
import { boardAddress } from './board/board-address.js';
import { createBoard } from './board/board.js';
import { createBoardDeliveries } from './board/board-deliveries.js';
import { createBoardHistory } from './board/board-history.js';
import { createBoardAudit } from './board/board-audit.js';
import { createGuessLimits } from '../../platform/http/limits/guess-limits.js';
import type { PeopleOrigin } from './people/people-origin.js';
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
  redis: Pick<RedisClient, 'set' | 'exists' | 'del'>;
  database: Pick<Database, 'read'>;
  /** People who sign in to the console. */
  people: PeopleOrigin;
  /** Counts sign-ins to the board; absent: they are not counted. */
  onSignIn?: ((outcome: SignIn) => void) | undefined;
}

/** Creates the router of the people's origin: the console, sessions, the API, and the board for its account and operators. */
export function createAdminRouter(deps: AdminDeps): Router {
  const { config, people } = deps;
  const router = Router();
  router.get('/', (req: Request, res: Response) => res.redirect(303, boardAddress(req, CONSOLE_PATH)));
  router.use(people.router);
  router.use(logged);
  const account = accountOf(config);
  useBoard(router, account, deps);
  router.use((req: Request) => {
    throw new NotFound(`${req.method} ${req.path}`);
  });
  return router;
}

function accountOf({
  adminUser: user,
  adminPassword: password,
}: Pick<Config, 'adminUser' | 'adminPassword'>): AdminAccount | undefined {
  return user === undefined || password === undefined ? undefined : { user, password };
}

function useBoard(router: Router, account: AdminAccount | undefined, deps: AdminDeps): void {
  const { config, logger, queues, database, people, redis } = deps;
  const { adminOrigin, adminBoardWrite } = config;
  const user = account?.user ?? '';
  const audit = createBoardAudit(deps.audit, user);
  const ofAccount = account && accountAuth(account, deps);
  const auth = adminAuth({ account: ofAccount, operator: people.operator });
  const deliveries = createBoardDeliveries({ database, logger });
  const history = createBoardHistory({ database, logger });
  // The audit comes before the check of the origin, so that refused changes of authenticated requests are recorded too.
  router.use(BOARD_PATH, auth, audit.changes, ownChangesOnly(adminOrigin));
  router.use(
    BOARD_PATH,
    createBoard({ queues, mayWrite: adminBoardWrite, deliveries, redis, account: user, history, logger }),
  );
  router.use(RUNS_PATH, auth, createRunRouter(database));
  if (ofAccount === undefined) return;
  const { onSignIn } = deps;
  router.use(ownChangesOnly(adminOrigin), createSignInRouter({ ...ofAccount, audit, onSignIn }));
}

function accountAuth(account: AdminAccount, { config, redis, logger }: AdminDeps): AccountAuth {
  const { adminOrigin, encryptionKey, queuePrefix: prefix } = config;
  const sessions = createAdminSessions(account, encryptionKey);
  const signedOut = createSignedOut({ redis, prefix, logger });
  return {
    isAccount: accountCheck(account),
    cookies: createAdminCookies({ sessions, signedOut, adminOrigin }),
    limits: createGuessLimits(),
  };
}

function logged(_req: Request, res: Response, next: NextFunction): void {
  res.locals['route'] = '/admin';
  next();
}

/** Creates the application that serves the people's origin on its own port. */
export function createAdminApp(
  router: Router,
  { config, logger, refused }: Pick<AdminDeps, 'config' | 'logger'> & { refused?: RefusedCalls },
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', config.trustedProxies.length > 0 ? config.trustedProxies : false);
  app.use(requestId, requestLog(logger), responseHeaders, requireHost, router, errorHandler(logger, refused));
  return app;
}
