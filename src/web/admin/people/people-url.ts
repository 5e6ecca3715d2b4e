import type { Request } from 'express';
import { Conflict } from '../../../platform/errors.js';

/** Returns the console's address for links in mails, by the port of the request; undefined: it is not known. */
export type MailedConsole = (port: number | undefined) => string | undefined;

/**
 * Returns where links in mails lead. They go to somebody else than the sender: no header of the request counts
 * (decision 0084). Undefined: no mail with a link may leave.
 */
export function mailedHome(req: Request, consoleUrl: MailedConsole): string | undefined {
  return consoleUrl(req.socket.localPort);
}

/** Returns where links in mails lead. @throws Conflict if no such mail may leave. */
export function requireMailedHome(req: Request, consoleUrl: MailedConsole): string {
  const home = mailedHome(req, consoleUrl);
  if (home === undefined) throw new Conflict(NO_ADDRESS);
  return home;
}

const NO_ADDRESS =
  'Mails with links cannot be sent: TRUSTED_PROXIES is set, but ADMIN_ORIGIN, the address of the console, is not';
