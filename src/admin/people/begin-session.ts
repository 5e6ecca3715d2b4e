import type { Request, Response } from 'express';
import type { Person, SignInMethod } from '../../access/people/person-session.js';
import { AppError } from '../../platform/errors.js';
import { recordDeed } from './people-audit.js';
import type { PeopleRouteDeps } from './people-deps.js';
import { sendOwnSession } from './send-own-session.js';

const WRONG: Readonly<Record<SignInMethod, string>> = {
  password: 'The address or the password is wrong',
  api_key: 'The API key is unknown, revoked or expired',
  link: 'The link was used, is too old or unknown',
};

/** Counts and refuses a wrong attempt. */
export function refuseSignIn(method: SignInMethod, { onSignIn }: PeopleRouteDeps): never {
  onSignIn('wrong', method);
  throw new AppError(401, WRONG[method]);
}

/** Does `find`, and counts a refusal. @throws what `find` throws. */
export async function counted<T>(
  method: SignInMethod,
  { onSignIn }: PeopleRouteDeps,
  find: () => Promise<T>,
): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && [403, 429].includes(error.status)) onSignIn('refused', method);
    throw error;
  }
}

/** Begins a session of a person who proved who it is, and responds with it. A session that the browser had ends. */
export async function beginSession(
  person: Person,
  { req, res }: { req: Request; res: Response },
  deps: PeopleRouteDeps,
): Promise<void> {
  const { sessions } = deps.people;
  const before = await deps.cookies.find(req);
  if (before !== undefined) await sessions.end(before.session.id);
  const { token } = await sessions.begin(person, { ip: req.ip, userAgent: req.get('user-agent') });
  const found = await sessions.find(token);
  if (found === undefined) refuseSignIn(person.method, deps);
  deps.onSignIn('signed_in', person.method);
  res.locals['actor'] = found.actor;
  await recordDeed(
    deps.audit,
    { actor: found.actor, action: 'session.create', answer: { id: found.session.id } },
    { req, res },
  );
  deps.cookies.set(token, req, res);
  await sendOwnSession(res, found, { people: deps.people, status: 201 });
}
