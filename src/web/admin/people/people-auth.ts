import type { Request } from 'express';
import { type Authenticator, identifyByKey, type Identify, keyFrom, keyHeaders } from '../../../api/face.js';
import { Forbidden, Unauthorized } from '../../../platform/errors.js';
import { isForeign, READS } from '../same-origin.js';
import type { SessionCookies } from './session/session-cookies.js';

/** A header that no page of another site can set without asking. */
const CONSOLE_HEADER = 'x-fabula-console';

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
    return found.actor;
  };
}
