import type { RequestHandler } from 'express';
import { type Config, consoleUrl } from '../config/face.js';
import { ownHost } from '../platform/http/address/own-base-url.js';
import { hostnameOf } from '../platform/addresses/host-name.js';

/** The settings that say where the console is. */
export type ConsolePlace = Partial<Pick<Config, 'adminOrigin' | 'adminPort' | 'adminHost'>>;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Redirects a browser that opens `/` of the API to the console. Without `ADMIN_ORIGIN` only a browser on this machine: the
 * console listens on loopback, and others do not reach it there.
 */
export function toConsole({ adminOrigin, adminPort, adminHost = '127.0.0.1' }: ConsolePlace): RequestHandler {
  const address = consoleUrl({ adminOrigin, adminPort, adminHost });
  return (req, res, next) => {
    const isHere = adminOrigin !== undefined || LOOPBACK.test(hostnameOf(ownHost(req)) ?? '');
    const wantsPage = /\btext\/html\b/i.test(req.get('accept') ?? '');
    if (address === undefined || !isHere || !wantsPage) return next();
    res.redirect(303, address);
  };
}
