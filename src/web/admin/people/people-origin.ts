import path from 'node:path';
import { type Request, Router } from 'express';
import type { Actor, Authenticator, Identify } from '../../../api/face.js';
import type { Invitations, PasswordResets } from '../../../people/face.js';
import { productRoot } from '../../../platform/runtime/product-root.js';
import { createConsoleFiles } from '../console/console-files.js';
import { createConsoleRouter } from '../console/console-router.js';
import { createInvitationRouter } from './invitation-router.js';
import { createPasswordRouter } from './password-router.js';
import { byKeyOrSession } from './people-auth.js';
import type { PeopleRouteDeps } from './people-deps.js';
import { createRefusedSignIns } from './refused-sign-ins.js';
import { createSessionCookies } from './session/session-cookies.js';
import { createSessionListRouter } from './session/session-list-router.js';
import { createSessionRouter } from './session/session-router.js';

export interface PeopleOriginDeps extends Omit<PeopleRouteDeps, 'cookies' | 'refusals'> {
  authenticator: Pick<Authenticator, 'authenticate'>;
  resets: PasswordResets;
  invitations: Invitations;
  /** Creates the router of the API, whose requests this identification finds out the sender of. */
  api(identify: Identify): Router;
  /** The folder of the built console; absent: `dist/console`. */
  consoleFolder?: string | undefined;
}

/** The part of the people's origin that people in the console use. */
export interface PeopleOrigin {
  router: Router;
  /** Returns the person of a request who may see the board; undefined for anybody else. */
  operator: (req: Request) => Promise<Actor | undefined>;
}

/** Creates the routers of all routes under `/session`. */
export function sessionRouters(
  routes: PeopleRouteDeps & Pick<PeopleOriginDeps, 'resets' | 'invitations'>,
): Router[] {
  return [
    createSessionRouter(routes),
    createSessionListRouter(routes),
    createPasswordRouter(routes),
    createInvitationRouter(routes),
  ];
}

/** Creates the console's files, the routes of sessions, and the API for keys and sessions (decision 0084). */
export function createPeopleOrigin(deps: PeopleOriginDeps): PeopleOrigin {
  const { people, adminOrigin, authenticator } = deps;
  const { consoleFolder: folder = path.join(productRoot().folder, 'dist', 'console') } = deps;
  const cookies = createSessionCookies({ sessions: people.sessions, devices: people.devices, adminOrigin });
  const refusals = createRefusedSignIns(deps.audit);
  const routes = { ...deps, cookies, refusals };
  const router = Router();
  router.use(createConsoleRouter({ folder, files: createConsoleFiles(folder) }));
  router.use('/session', (_req, res, next) => {
    res.locals['route'] = '/session';
    next();
  });
  router.use(...sessionRouters(routes));
  router.use(deps.api(byKeyOrSession({ cookies, authenticator, adminOrigin })));
  return {
    router,
    async operator(req) {
      const found = await cookies.find(req);
      return found !== undefined && (await people.isOperator(found.actor)) ? found.actor : undefined;
    },
  };
}
