import { type Request, type Response, Router } from 'express';
import Joi from 'joi';
import {
  type SignInCandidate,
  FirstPasswordNeedsLink,
  type LinkOutcome,
  newPasswordField,
  type PasswordResets,
} from '../../../people/face.js';
import { Forbidden, Unavailable } from '../../../platform/errors.js';
import { countingRefusals, refuseSignIn } from './session/begin-session.js';
import { mailedHome } from './people-url.js';
import { actorOf, recordDeed } from './people-audit.js';
import { requireAdminOrigin } from './people-auth.js';
import { type PeopleRouteDeps, requireSession } from './people-deps.js';
import { readJsonInput } from './read-input.js';
import { sendJson } from './send-json.js';
import { sendOwnSession } from './session/send-own-session.js';

const resetBody = Joi.object<{ email: string }>({ email: Joi.string().trim().max(255).required() });
const passwordBody = Joi.object<{ token?: string; current_password?: string; password: string }>({
  token: Joi.string().trim().max(200),
  current_password: Joi.string().max(200),
  password: newPasswordField.required(),
}).oxor('token', 'current_password');

interface Exchange {
  req: Request;
  res: Response;
}

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
  requireAdminOrigin(req, deps.adminOrigin);
  const { email } = await readJsonInput(req, resetBody);
  deps.resets.request(email, {
    address: req.ip,
    home: mailedHome(req, deps.mailedConsole),
    onLink: (person) => recordLink(person, { req, res }, deps),
  });
  // The same for every address: the response does not tell which ones have an account.
  sendJson(res, 202, {});
}

/** Records a mailed link in the background: nobody may learn by the time of a response whether there is an account. */
function recordLink(person: SignInCandidate, exchange: Exchange, { audit }: PasswordRouterDeps): void {
  const deed = { actor: actorOf(person), action: 'password.link_requested', response: { id: person.userId } };
  void recordDeed(audit, deed, exchange);
}

async function setPassword(req: Request, res: Response, deps: PasswordRouterDeps): Promise<void> {
  requireAdminOrigin(req, deps.adminOrigin);
  const { token, current_password: current, password } = await readJsonInput(req, passwordBody);
  if (token !== undefined) return setByLink({ token, password }, { req, res }, deps);
  const found = await requireSession(req, res, deps);
  const { actor, session } = found;
  const onWrong = (person: SignInCandidate) => deps.refusals.note([person], { req, res });
  const change = { current, password, method: session.method, onWrong };
  const person = await deps.people.passwords.change(actor, change).catch(async (error: unknown) => {
    if (!(error instanceof FirstPasswordNeedsLink)) throw error;
    throw new Forbidden(await mailFirstLink(error, { req, res }, deps));
  });
  const deed = { actor, action: 'password.change', response: { id: actor.userId } };
  await recordDeed(deps.audit, deed, { req, res });
  deps.resets.tellChanged(person);
  deps.cookies.remember(person, req, res);
  await sendOwnSession(res, found, { people: deps.people, status: 200 });
}

/** The person signs in with the password: a link from a mail alone gives no session. */
async function setByLink(
  { token, password }: { token: string; password: string },
  { req, res }: Exchange,
  deps: PasswordRouterDeps,
): Promise<void> {
  const { passwords } = deps.people;
  const person = await countingRefusals('link', deps, () => passwords.setByLink(token, password, req.ip));
  if (person === undefined) refuseSignIn('link', deps);
  const deed = { actor: actorOf(person), action: 'password.set_by_link', response: { id: person.userId } };
  await recordDeed(deps.audit, deed, { req, res });
  deps.resets.tellChanged(person);
  res.status(204).end();
}

const AFTER_MAIL: Readonly<Record<LinkOutcome, string>> = {
  sent: 'a mail with such a link has been sent',
  'too many': 'too many mails with such links were already sent; try again later',
  'no mail server': 'mail cannot be sent, but `fabula login-link` creates a link',
  'no address': 'mail cannot be sent without ADMIN_ORIGIN, but `fabula login-link` creates a link',
};

/** Mails the link by which the person sets a first password. Returns the reason why the session may not. */
async function mailFirstLink(
  { person, message }: FirstPasswordNeedsLink,
  exchange: Exchange,
  deps: PasswordRouterDeps,
): Promise<string> {
  const outcome = await deps.resets
    .mailLink(person, {
      home: mailedHome(exchange.req, deps.mailedConsole),
      onMade: () => recordLink(person, exchange, deps),
    })
    .catch((cause: unknown) => {
      throw new Unavailable(`${message}; the mail server did not accept the mail`, { cause });
    });
  return `${message}: ${AFTER_MAIL[outcome]}`;
}
