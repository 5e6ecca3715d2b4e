import { type Request, type Response, Router } from 'express';
import Joi from 'joi';
import type { Person, SignInPlace } from '../../../../people/face.js';
import { beginSession, countingRefusals, refuseSignIn, requireOwnBrowser } from './begin-session.js';
import { recordDeed } from '../people-audit.js';
import { requireConsole, requireAdminOrigin, requireOwnPage } from '../people-auth.js';
import { type PeopleRouteDeps, requireAnySession } from '../people-deps.js';
import { readJsonInput } from '../read-input.js';
import { sendOwnSession } from './send-own-session.js';

const MAX_TOKEN = 200;

interface SignInBody {
  email?: string;
  password?: string;
  api_key?: string;
  replace?: boolean;
}

/** Whether a session of another person in this browser ends. */
const replaceField = Joi.boolean();
const signInBody = Joi.object<SignInBody>({
  email: Joi.string().trim().max(255),
  password: Joi.string().max(200),
  api_key: Joi.string().trim().max(MAX_TOKEN),
  replace: replaceField,
})
  .xor('email', 'api_key')
  .and('email', 'password');
const linkBody = Joi.object<{ token: string; replace?: boolean }>({
  token: Joi.string().trim().max(MAX_TOKEN).required(),
  replace: replaceField,
});

/** Creates the routes by which a person signs in and out (docs/operate/console.md). */
export function createSessionRouter(deps: PeopleRouteDeps): Router {
  const router = Router();
  router.post('/session', (req: Request, res: Response) => signIn(req, res, deps));
  router.post('/session/link', (req: Request, res: Response) => openLink(req, res, deps));
  router.get('/session', (req: Request, res: Response) => showSession(req, res, deps));
  router.delete('/session', (req: Request, res: Response) => signOut(req, res, deps));
  return router;
}

/** A page of another user asks here who is signed in by now. */
async function showSession(req: Request, res: Response, deps: PeopleRouteDeps): Promise<void> {
  const found = await requireAnySession(req, res, deps);
  await sendOwnSession(res, found, { people: deps.people, status: 200 });
}

async function signIn(req: Request, res: Response, deps: PeopleRouteDeps): Promise<void> {
  requireAdminOrigin(req, deps.adminOrigin);
  const { api_key: key, email = '', password = '', replace = false } = await readJsonInput(req, signInBody);
  const method = key === undefined ? 'password' : 'api_key';
  const { signIn: check } = deps.people;
  const person = await countingRefusals<Person | undefined>(method, deps, () =>
    key === undefined
      ? check.withPassword({ email, password }, placeOf({ req, res }, deps))
      : check.withKey(key, req.ip),
  );
  await beginSession(person ?? refuseSignIn(method, deps), { req, res, replace }, deps);
}

function placeOf(exchange: { req: Request; res: Response }, deps: PeopleRouteDeps): SignInPlace {
  return {
    address: exchange.req.ip,
    devices: deps.cookies.devices(exchange.req),
    onWrong: (people) => deps.refusals.note(people, exchange),
  };
}

async function openLink(req: Request, res: Response, deps: PeopleRouteDeps): Promise<void> {
  requireAdminOrigin(req, deps.adminOrigin);
  const { token, replace = false } = await readJsonInput(req, linkBody);
  const before = await deps.cookies.find(req);
  const allow = (person: Person) => requireOwnBrowser(person, { before, replace });
  const person = await countingRefusals('link', deps, () =>
    deps.people.signIn.withLink(token, req.ip, allow),
  );
  await beginSession(person ?? refuseSignIn('link', deps), { req, res, replace }, deps);
}

/** A session that ended already needs no sign-out: the cookie is removed all the same. */
async function signOut(req: Request, res: Response, deps: PeopleRouteDeps): Promise<void> {
  const found = await deps.cookies.find(req);
  if (found !== undefined) {
    requireConsole(req, deps.adminOrigin);
    requireOwnPage(req, found);
    const { actor, session } = found;
    await deps.people.sessions.end(session.id);
    deps.onSignIn('signed_out', session.method);
    await recordDeed(
      deps.audit,
      { actor, action: 'session.delete', response: { id: session.id } },
      { req, res },
    );
  }
  deps.cookies.clear(req, res);
  res.status(204).end();
}
