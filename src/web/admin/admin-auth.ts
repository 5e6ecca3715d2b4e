import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Actor } from '../../api/face.js';
import { AppError, Forbidden } from '../../platform/errors.js';
import { type AdminAccount, basicAccount } from './admin-account.js';
import type { AdminCookies } from './admin-cookies.js';
import { CONSOLE_PATH, SIGN_IN_PATH } from './admin-paths.js';
import { boardAddress } from './board/board-address.js';
import type { AdminSession } from './admin-sessions.js';
import type { GuessLimits } from '../../platform/http/limits/guess-limits.js';
import { isForeign, READS } from './same-origin.js';

/** The account of the board, and its sessions. */
export interface AccountAuth {
  isAccount(given: AdminAccount): boolean;
  cookies: AdminCookies;
  limits: GuessLimits;
}

export interface AdminAuthDeps {
  /** Undefined: there is no account. */
  account: AccountAuth | undefined;
  /** Returns the person in the console who may see the board; undefined for anybody else. */
  operator: (req: Request) => Promise<Actor | undefined>;
}

/** Set for an authenticated request of a browser. */
interface AdminLocals {
  adminSession?: AdminSession;
  operator?: Actor;
}

/** Returns the address of the person who opened the board from the console; undefined for the account. */
export function operatorOf(res: Response): string | undefined {
  return (res.locals as AdminLocals).operator?.userEmail;
}

/**
 * Accepts requests with a session of the account, or of an operator in the console, and programs that send the account in a
 * Basic header. The response never asks for Basic, because a browser would store the password and send it with each
 * request. Browsers are redirected to a page to sign in, programs get a plain 401.
 */
export function adminAuth({ account, operator }: AdminAuthDeps): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    if (account !== undefined && (await hasSession(req, res, account))) return next();
    const given = basicAccount(req.get('authorization'));
    if (given === undefined) {
      const person = await operator(req);
      if (person !== undefined) {
        (res.locals as AdminLocals).operator = person;
        return next();
      }
      const target = account === undefined ? CONSOLE_PATH : SIGN_IN_PATH;
      if (wantsPage(req)) return res.redirect(303, boardAddress(req, target));
    } else if (
      account !== undefined &&
      (await account.limits.check(req.ip, () => account.isAccount(given)))
    ) {
      return next();
    }
    throw new AppError(401, 'The administrator’s user name and password are required');
  };
}

async function hasSession(req: Request, res: Response, { cookies }: AccountAuth): Promise<boolean> {
  const session = await cookies.session(req);
  if (session === undefined) return false;
  (res.locals as AdminLocals).adminSession = session;
  cookies.renew(session, req, res);
  return true;
}

/**
 * Refuses changes that a page of another origin makes a browser send. A request with a session comes from a browser, so
 * it must name its origin; tools with Basic need not.
 */
export function ownChangesOnly(adminOrigin: string | undefined): RequestHandler {
  return (req, res, next) => {
    if (READS.has(req.method)) return next();
    const { adminSession, operator } = res.locals as AdminLocals;
    const foreign = isForeign(req, adminOrigin) ?? (adminSession ?? operator) !== undefined;
    if (foreign) throw new Forbidden('Cross-site requests are rejected');
    next();
  };
}

function wantsPage(req: Request): boolean {
  return READS.has(req.method) && /\btext\/html\b/i.test(req.get('accept') ?? '');
}
