import { isIP } from 'node:net';
import type { Request } from 'express';
import { hostnameOf } from '../text/host-name.js';

/**
 * The address of this server as the caller of `req` may know it, without `PUBLIC_URL`. A `Host` may say anything, so it is
 * taken over only where it is one of ours for certain: the name that a trusted proxy passes on, a loopback one, or the
 * address that the connection came to. Any other gives `http://localhost:<port>`, as in mails (decision 0028).
 */
export function ownBaseUrl(req: Request): string {
  if (isForwarded(req) || isOurs(req)) return `${req.protocol}://${req.host}`;
  return `http://localhost:${req.socket.localPort ?? 80}`;
}

/** Whether the name is one that a trusted proxy vouches for; then Express prefers it. */
function isForwarded(req: Request): boolean {
  const trusts = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return req.headers['x-forwarded-host'] !== undefined && trusts(req.socket.remoteAddress, 0);
}

function isOurs(req: Request): boolean {
  const name = hostnameOf(req.host);
  if (name === undefined) return false;
  const address = name.replace(/^\[|\]$/g, '');
  if (name === 'localhost' || address === '::1') return true;
  if (isIP(address) === 4 && address.startsWith('127.')) return true;
  return isIP(address) !== 0 && address === req.socket.localAddress?.replace(/^::ffff:/, '');
}
