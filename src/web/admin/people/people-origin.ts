import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import Joi from 'joi';
import type { Actor, Authenticator, Identify } from '../../../api/face.js';
import type { Invitations, PasswordResets } from '../../../people/face.js';
import { productRoot } from '../../../platform/runtime/product-root.js';
import { createConsoleFiles } from '../console/console-files.js';
import { createConsoleRouter } from '../console/console-router.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { recordDeed } from './people-audit.js';
import { requireMailedHome } from './people-url.js';
import { readJsonInput } from './read-input.js';
import { createPasswordRouter } from './password-router.js';
import { byKeyOrSession } from './people-auth.js';
import { type PeopleRouteDeps, requireSession } from './people-deps.js';
import { createRefusedSignIns } from './refused-sign-ins.js';
import { createSessionCookies } from './session/session-cookies.js';
import { createSessionListRouter } from './session/session-list-router.js';
import { createSessionRouter } from './session/session-router.js';

const inviteBody = Joi.object<{ user_id: number }>({ user_id: idField.required() });

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

interface InvitationRouterDeps extends PeopleRouteDeps {
  invitations: Invitations;
}

/** Creates the route by which an Owner mails a person the link to set a first password. */
function createInvitationRouter(deps: InvitationRouterDeps): Router {
  const router = Router();
  router.post('/session/invitations', (req: Request, res: Response) => invite(req, res, deps));
  return router;
}

async function invite(req: Request, res: Response, deps: InvitationRouterDeps): Promise<void> {
  const { actor } = await requireSession(req, res, deps);
  const { user_id: userId } = await readJsonInput(req, inviteBody);
  await deps.invitations.send(actor, userId, requireMailedHome(req, deps.mailedConsole));
  await recordDeed(deps.audit, { actor, action: 'user.invite', response: { id: userId } }, { req, res });
  res.status(204).end();
}
