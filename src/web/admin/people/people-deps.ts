import type { Request, Response } from 'express';
import type { AuditTrail, FoundSession, PeopleServices, SignInMethod } from '../../../people/face.js';
import type { RouteLimits } from '../../../api/face.js';
import { Unauthorized } from '../../../platform/errors.js';
import { requireConsole, requireOwnPage } from './people-auth.js';
import type { MailedConsole } from './people-url.js';
import type { RefusedSignIns } from './refused-sign-ins.js';
import type { SessionCookies } from './session/session-cookies.js';

/** The outcome of an attempt to sign in, or a session that ended. */
export type PersonSignInOutcome = 'signed_in' | 'signed_out' | 'wrong' | 'refused';

/** The services that all routes of sessions use. */
export interface PeopleRouteDeps {
  people: PeopleServices;
  cookies: SessionCookies;
  refusals: RefusedSignIns;
  audit: Pick<AuditTrail, 'record'>;
  limits: RouteLimits;
  adminOrigin: string | undefined;
  mailedConsole: MailedConsole;
  /** Counts sign-ins. */
  onSignIn: (outcome: PersonSignInOutcome, method: SignInMethod) => void;
}

type SessionDeps = Pick<PeopleRouteDeps, 'cookies' | 'adminOrigin' | 'limits'>;

/**
 * Returns the session of a request, and counts the request.
 * @throws Unauthorized without one, and for a page of another user; Forbidden for a change that the console did not send;
 *   TooManyRequests.
 */
export async function requireSession(req: Request, res: Response, deps: SessionDeps): Promise<FoundSession> {
  const found = await requireAnySession(req, res, deps);
  requireOwnPage(req, found);
  return found;
}

/** Returns the session as `requireSession` does, also to a page of another user. */
export async function requireAnySession(
  req: Request,
  res: Response,
  { cookies, adminOrigin, limits }: SessionDeps,
): Promise<FoundSession> {
  const found = await cookies.find(req);
  if (found === undefined) throw new Unauthorized('Sign in first');
  requireConsole(req, adminOrigin);
  res.locals['actor'] = found.actor;
  await limits.check({}, found.actor, res);
  return found;
}
