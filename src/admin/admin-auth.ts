import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError, Forbidden } from '../platform/errors.js';
import { type AdminAccount, basicAccount } from './admin-account.js';
import type { AdminCookies } from './admin-cookies.js';
import { SIGN_IN_PATH } from './admin-paths.js';
import { boardAddress } from './board/board-address.js';
import type { AdminSession } from './admin-session.js';
import type { GuessLimits } from './guess-limits.js';
import { isForeign, READS } from './same-origin.js';

export interface AdminAuthDeps {
  isAccount(given: AdminAccount): boolean;
  cookies: AdminCookies;
  limits: GuessLimits;
  adminOrigin: string | undefined;
}

/** Set for an authenticated request with a session. */
interface AdminLocals {
  adminSession?: AdminSession;
}

/**
 * Accepts requests with a session, and programs that send the account in a Basic header. The response never asks for
 * Basic, because a browser would store the password and send it with each request. Browsers are redirected to the
 * sign-in page, programs get a plain 401.
 */
export function adminAuth(deps: AdminAuthDeps): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    const session = await deps.cookies.session(req);
    if (session !== undefined) {
      (res.locals as AdminLocals).adminSession = session;
      deps.cookies.renew(session, req, res);
      return next();
    }
    const given = basicAccount(req.get('authorization'));
    if (given !== undefined && (await deps.limits.check(req.ip, () => deps.isAccount(given)))) return next();
    if (given === undefined && wantsPage(req)) return res.redirect(303, boardAddress(req, SIGN_IN_PATH));
    throw new AppError(401, 'The administrator’s user and password are required');
  };
}

/**
 * Refuses changes that a page of another origin makes a browser send. A request with a session comes from a browser, so
 * it must name its origin; tools with Basic need not.
 */
export function ownChangesOnly(adminOrigin: string | undefined): RequestHandler {
  return (req, res, next) => {
    if (READS.has(req.method)) return next();
    const foreign = isForeign(req, adminOrigin) ?? (res.locals as AdminLocals).adminSession !== undefined;
    if (foreign) throw new Forbidden('Changes from other sites are refused');
    next();
  };
}

function wantsPage(req: Request): boolean {
  return READS.has(req.method) && /\btext\/html\b/i.test(req.get('accept') ?? '');
}
