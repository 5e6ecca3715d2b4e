import type { CookieOptions, Request, Response } from 'express';
import type { FoundSession } from '../../access/people/person-session.js';
import type { SessionService } from '../../access/people/session-service.js';
import { LONGEST_DAYS } from '../../access/people/session-store.js';
import { cookieValues, SECURE_SESSION_COOKIE, SESSION_COOKIE } from '../../platform/text/own-cookies.js';

/** Number of cookies of one name that are checked: a planted cookie must not hide the real one, nor cost much. */
const MAX_COOKIES = 3;
const DAY_MS = 24 * 60 * 60_000;

export interface SessionCookieDeps {
  sessions: Pick<SessionService, 'find'>;
  adminOrigin: string | undefined;
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/**
 * Keeps sessions in cookies: unreadable for scripts, never sent from other sites, and over TLS bound to this host name.
 * A browser sends them to every port of the host, so webhooks drop them (`withoutOwnCookies`).
 */
export function createSessionCookies({ sessions, adminOrigin }: SessionCookieDeps) {
  const isSecure = (req: Request) => req.secure || adminOrigin?.startsWith('https:') === true;
  const nameOf = (req: Request) => (isSecure(req) ? SECURE_SESSION_COOKIE : SESSION_COOKIE);
  const options = (req: Request): CookieOptions => ({
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(req),
  });

  return {
    /** Returns the session of a request; undefined if it has none. */
    async find(req: Request): Promise<FoundSession | undefined> {
      for (const token of cookieValues(req.headers.cookie, nameOf(req)).slice(0, MAX_COOKIES)) {
        const found = await sessions.find(token);
        if (found !== undefined) return found;
      }
      return undefined;
    },

    set(token: string, req: Request, res: Response): void {
      res.cookie(nameOf(req), token, { ...options(req), maxAge: LONGEST_DAYS * DAY_MS, encode: String });
    },

    clear(req: Request, res: Response): void {
      res.clearCookie(nameOf(req), options(req));
    },
  };
}
