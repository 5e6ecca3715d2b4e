import type { Request } from 'express';
import { type Authenticator, identifyByKey, type Identify, keyFrom, keyHeaders } from '../../../api/face.js';
import type { FoundSession } from '../../../people/face.js';
import { Forbidden, Unauthorized } from '../../../platform/errors.js';
import { isForeign, READS } from '../same-origin.js';
import type { SessionCookies } from './session/session-cookies.js';

/** A header that no page of another site can set without asking. */
const CONSOLE_HEADER = 'x-fabula-console';
/** The id of the user for whom a page of the console was loaded: the tabs of a browser share one session. */
const USER_HEADER = 'x-fabula-user';

/** Refuses a request that a page of another origin made a browser send. @throws Forbidden. */
export function requireAdminOrigin(req: Request, adminOrigin: string | undefined): void {
  if (isForeign(req, adminOrigin) === true) throw new Forbidden('Cross-site requests are rejected');
}

/** Refuses a change with a session that the console did not send. @throws Forbidden. */
export function requireConsole(req: Request, adminOrigin: string | undefined): void {
  if (READS.has(req.method)) return;
  requireAdminOrigin(req, adminOrigin);
  if (req.get(CONSOLE_HEADER) === '1') return;
  throw new Forbidden('Changes in a session require the header X-Fabula-Console: 1');
}

/** Refuses a request of a page that was loaded for another user than the one who is signed in by now. @throws Unauthorized. */
export function requireOwnPage(req: Request, { actor }: FoundSession): void {
  const user = req.get(USER_HEADER);
  if (user === undefined || user === String(actor.userId)) return;
  throw new Unauthorized(`This page was loaded for another user. ${actor.userEmail} is signed in now`);
}

export interface PeopleAuthDeps {
  cookies: Pick<SessionCookies, 'find'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  adminOrigin: string | undefined;
}

/** Returns the identification on the people's origin: by an API key, else by the session of the console. */
export function byKeyOrSession({ cookies, authenticator, adminOrigin }: PeopleAuthDeps): Identify {
  const ofKey = identifyByKey(authenticator);
  return async (req) => {
    if (keyFrom(keyHeaders(req)) !== undefined) return ofKey(req);
    const found = await cookies.find(req);
    if (found === undefined) throw new Unauthorized('Sign in or send a valid API key');
    requireConsole(req, adminOrigin);
    requireOwnPage(req, found);
    return found.actor;
  };
}
