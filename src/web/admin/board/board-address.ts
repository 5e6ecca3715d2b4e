import type { Request } from 'express';
import { forwardedPrefix, ownHost } from '../../../platform/http/address/own-base-url.js';

/**
 * Returns the target of a redirect to a page of the board, with the host where it is certainly ours. A browser resolves a
 * path alone against its own address, keeps `user:password@` of that, and then refuses the board's requests.
 */
export function boardAddress(req: Request, path: string): string {
  const host = ownHost(req);
  const whole = forwardedPrefix(req) + path;
  return host === undefined ? whole : `//${host}${whole}`;
}
