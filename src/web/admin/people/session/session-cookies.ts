import type { CookieOptions, Request, Response } from 'express';
import {
  type SignInCandidate,
  type FoundSession,
  KNOWN_DAYS,
  type KnownDevices,
  LONGEST_DAYS,
  type SessionService,
} from '../../../../people/face.js';
import {
  cookieValues,
  DEVICE_COOKIE,
  SECURE_DEVICE_COOKIE,
  SECURE_SESSION_COOKIE,
  SESSION_COOKIE,
} from '../../../../platform/headers/own-cookies.js';

/** Values of earlier sign-ins that a browser keeps, and that are read: several people may use it. */
const MAX_DEVICES = 4;
const BETWEEN_DEVICES = '~';
/** Values of one name that are read: more than browsers keep for a host. */
const MAX_COOKIES = 200;
const DAY_MS = 24 * 60 * 60_000;

export interface SessionCookieDeps {
  sessions: Pick<SessionService, 'find'>;
  devices: KnownDevices;
  adminOrigin: string | undefined;
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/**
 * Keeps sessions in cookies: unreadable for scripts, never sent from other sites, and over TLS bound to this host name.
 * A browser sends them to every port of the host, so webhooks drop them (`withoutOwnCookies`).
 */
export function createSessionCookies({ sessions, devices, adminOrigin }: SessionCookieDeps) {
  const isSecure = (req: Request) => req.secure || adminOrigin?.startsWith('https:') === true;
  const nameOf = (req: Request) => (isSecure(req) ? SECURE_SESSION_COOKIE : SESSION_COOKIE);
  const deviceName = (req: Request) => (isSecure(req) ? SECURE_DEVICE_COOKIE : DEVICE_COOKIE);
  const devicesIn = (req: Request): string[] =>
    cookieValues(req.headers.cookie, deviceName(req))
      .flatMap((value) => value.split(BETWEEN_DEVICES, MAX_DEVICES))
      .slice(0, MAX_DEVICES);
  const options = (req: Request): CookieOptions => ({
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(req),
  });

  return {
    /** Returns the session of a request; undefined if it has none. */
    async find(req: Request): Promise<FoundSession | undefined> {
      // All of them: others on the host can plant cookies of this name, which the browser may send first.
      const tokens = [...new Set(cookieValues(req.headers.cookie, nameOf(req)))].slice(0, MAX_COOKIES);
      const found = await Promise.all(tokens.map((token) => sessions.find(token)));
      return found.find((each) => each !== undefined);
    },

    /** Returns what the browser keeps of earlier sign-ins. */
    devices: devicesIn,

    /** Makes the browser known for the user who has just signed in, or changed the password. */
    remember(user: Pick<SignInCandidate, 'userId' | 'hash'>, req: Request, res: Response): void {
      const others = devicesIn(req).filter((value) => !devices.knows([value], user));
      const values = [devices.valueFor(user), ...others].slice(0, MAX_DEVICES);
      const maxAge = KNOWN_DAYS * DAY_MS;
      res.cookie(deviceName(req), values.join(BETWEEN_DEVICES), { ...options(req), maxAge, encode: String });
    },

    set(token: string, req: Request, res: Response): void {
      res.cookie(nameOf(req), token, { ...options(req), maxAge: LONGEST_DAYS * DAY_MS, encode: String });
    },

    clear(req: Request, res: Response): void {
      res.clearCookie(nameOf(req), options(req));
    },
  };
}
