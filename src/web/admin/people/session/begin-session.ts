import type { Request, Response } from 'express';
import type { FoundSession, Person, SignInMethod } from '../../../../people/face.js';
import { AppError, Conflict } from '../../../../platform/errors.js';
import { recordDeed } from '../people-audit.js';
import type { PeopleRouteDeps } from '../people-deps.js';
import { sendOwnSession } from './send-own-session.js';

const WRONG: Readonly<Record<SignInMethod, string>> = {
  password: 'Wrong address or password',
  api_key: 'The API key is unknown, revoked or expired',
  link: 'The link is invalid, expired or already used',
};

/** Counts and refuses a wrong attempt. */
export function refuseSignIn(method: SignInMethod, { onSignIn }: PeopleRouteDeps): never {
  onSignIn('wrong', method);
  throw new AppError(401, WRONG[method]);
}

/** Does `find`, and counts a refusal. @throws what `find` throws. */
export async function countingRefusals<T>(
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

/**
 * Refuses to begin a session over that of another person, unless the request says that it may: a link that somebody sent
 * must not make a browser go on as somebody else unseen. @throws Conflict with the one who is signed in.
 */
export function requireOwnBrowser(
  { userId }: Pick<Person, 'userId'>,
  { before, replace }: { before: FoundSession | undefined; replace: boolean },
): void {
  if (before === undefined || replace || before.actor.userId === userId) return;
  throw new Conflict(
    `${before.actor.userEmail} is already signed in with this browser; "replace": true ends that session`,
  );
}

/** Begins a session of a person who proved who it is, and responds with it. A session that the browser had ends. */
export async function beginSession(
  person: Person,
  { req, res, replace }: { req: Request; res: Response; replace: boolean },
  deps: PeopleRouteDeps,
): Promise<void> {
  const { sessions } = deps.people;
  const before = await deps.cookies.find(req);
  requireOwnBrowser(person, { before, replace });
  if (before !== undefined) await endBefore(before, { req, res }, deps);
  const { token } = await sessions.begin(person, { ip: req.ip, userAgent: req.get('user-agent') });
  const found = await sessions.find(token);
  if (found === undefined) refuseSignIn(person.method, deps);
  deps.onSignIn('signed_in', person.method);
  res.locals['actor'] = found.actor;
  await recordDeed(
    deps.audit,
    { actor: found.actor, action: 'session.create', response: { id: found.session.id } },
    { req, res },
  );
  deps.cookies.set(token, req, res);
  const known = await deps.people.find(person.userId);
  if (known !== undefined) deps.cookies.remember(known, req, res);
  await sendOwnSession(res, found, { people: deps.people, status: 201 });
}

async function endBefore(
  { actor, session }: FoundSession,
  { req, res }: { req: Request; res: Response },
  { people, audit }: PeopleRouteDeps,
): Promise<void> {
  await people.sessions.end(session.id);
  await recordDeed(audit, { actor, action: 'session.delete', response: { id: session.id } }, { req, res });
}
