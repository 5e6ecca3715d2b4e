import { type Request, type Response, Router } from 'express';
import Joi from 'joi';
import { newPasswordField } from '../../access/people/password-service.js';
import type { PasswordResets } from '../../access/people/password-resets.js';
import { counted, refuseSignIn } from './begin-session.js';
import { mailedHome } from './people-url.js';
import { recordDeed } from './people-audit.js';
import { requireOwnOrigin } from './people-auth.js';
import { type PeopleRouteDeps, requireSession } from './people-deps.js';
import { readInput } from './read-input.js';
import { sendJson } from './send-json.js';
import { sendOwnSession } from './send-own-session.js';

const resetBody = Joi.object<{ email: string }>({ email: Joi.string().trim().max(255).required() });
const passwordBody = Joi.object<{ token?: string; current_password?: string; password: string }>({
  token: Joi.string().trim().max(200),
  current_password: Joi.string().max(200),
  password: newPasswordField.required(),
}).oxor('token', 'current_password');

export interface PasswordRouterDeps extends PeopleRouteDeps {
  resets: PasswordResets;
}

/** Creates the routes by which a person sets a password. */
export function createPasswordRouter(deps: PasswordRouterDeps): Router {
  const router = Router();
  router.post('/session/reset', (req: Request, res: Response) => askForMail(req, res, deps));
  router.post('/session/password', (req: Request, res: Response) => setPassword(req, res, deps));
  return router;
}

async function askForMail(req: Request, res: Response, deps: PasswordRouterDeps): Promise<void> {
  requireOwnOrigin(req, deps.adminOrigin);
  const { email } = await readInput(req, resetBody);
  await deps.resets.request(email, { address: req.ip, home: mailedHome(req, deps.mailedConsole) });
  // The same for every address: the response does not tell which ones have an account.
  sendJson(res, 202, {});
}

async function setPassword(req: Request, res: Response, deps: PasswordRouterDeps): Promise<void> {
  requireOwnOrigin(req, deps.adminOrigin);
  const { passwords } = deps.people;
  const { token, current_password: current, password } = await readInput(req, passwordBody);
  if (token !== undefined) {
    const person = await counted('link', deps, () => passwords.setByLink(token, password, req.ip));
    if (person === undefined) refuseSignIn('link', deps);
    // The person signs in with it: a link from a mail alone gives no session.
    return void res.status(204).end();
  }
  const found = await requireSession(req, res, deps);
  const { actor } = found;
  await passwords.change(actor, { current, password, address: req.ip });
  await recordDeed(
    deps.audit,
    { actor, action: 'password.change', answer: { id: actor.userId } },
    { req, res },
  );
  await sendOwnSession(res, found, { people: deps.people, status: 200 });
}
