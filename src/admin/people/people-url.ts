import type { Request } from 'express';
import { forwardedPrefix, ownBaseUrl } from '../../platform/http/own-base-url.js';

/** Returns the address of the people's origin for links in mails, with the prefix of a proxy. */
export function peopleUrl(req: Request, adminOrigin: string | undefined): string {
  return adminOrigin === undefined ? ownBaseUrl(req) : adminOrigin + forwardedPrefix(req);
}
