import type { Request } from 'express';

/** Returns the console's address for links in mails, by the port of the request; undefined: it is not known. */
export type MailedConsole = (port: number | undefined) => string | undefined;

/**
 * Returns where links in mails lead. They go to somebody else than the sender: no header of the request counts
 * (decision 0084). Undefined: no mail with a link may leave.
 */
export function mailedHome(req: Request, consoleUrl: MailedConsole): string | undefined {
  return consoleUrl(req.socket.localPort);
}
