import type { Request, Response } from 'express';
import { ADMIN_COOKIE, cookieValues, SECURE_ADMIN_COOKIE } from '../../platform/headers/own-cookies.js';
import { forwardedPrefix } from '../../platform/http/address/own-base-url.js';
import { ADMIN_ROOT } from './admin-paths.js';
import type { AdminSession, AdminSessions } from './admin-sessions.js';
import type { SignedOut } from './signed-out.js';

export interface AdminCookieDeps {
  sessions: AdminSessions;
  signedOut: SignedOut;
  adminOrigin: string | undefined;
  nowMs?: () => number;
}

export type AdminCookies = ReturnType<typeof createAdminCookies>;

/**
 * Stores sessions in cookies: unreadable for scripts (`HttpOnly`), never sent from other sites (`SameSite=Strict`), set
 * over TLS only sent over TLS (`Secure`), and never sent to webhook paths (`Path`), because cookies ignore ports.
 */
export function createAdminCookies({ sessions, signedOut, adminOrigin, nowMs = Date.now }: AdminCookieDeps) {
  const isSecure = (req: Request) => req.secure || adminOrigin?.startsWith('https:') === true;
  const nameOf = (req: Request) => (isSecure(req) ? SECURE_ADMIN_COOKIE : ADMIN_COOKIE);
  const options = (req: Request) =>
    ({
      path: forwardedPrefix(req) + ADMIN_ROOT,
      httpOnly: true,
      sameSite: 'strict',
      secure: isSecure(req),
    }) as const;
  const set = (token: string, req: Request, res: Response): void => {
    res.cookie(nameOf(req), token, { ...options(req), encode: String });
  };

  const liveSession = async (req: Request): Promise<AdminSession | undefined> => {
    for (const token of cookieValues(req.headers.cookie, nameOf(req))) {
      const session = sessions.read(token, nowMs());
      if (session !== undefined && !(await signedOut.has(session))) return session;
    }
    return undefined;
  };

  return {
    /** Returns the valid session of a request; undefined if it has none. */
    session: liveSession,

    begin(req: Request, res: Response): void {
      set(sessions.begin(nowMs()), req, res);
    },

    renew(session: AdminSession, req: Request, res: Response): void {
      const token = sessions.renew(session, nowMs());
      if (token !== undefined) set(token, req, res);
    },

    /** Ends the request's session, for every web process. Returns false if it has none. */
    async end(req: Request, res: Response): Promise<boolean> {
      const session = await liveSession(req);
      if (session !== undefined) await signedOut.note(session);
      res.clearCookie(nameOf(req), options(req));
      return session !== undefined;
    },
  };
}
