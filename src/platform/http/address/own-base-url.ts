import { isIP } from 'node:net';
import type { Request } from 'express';
import { hostnameOf } from '../../addresses/host-name.js';

/**
 * Returns this server's base URL for the sender of `req`, for use without `PUBLIC_URL`. A `Host` header can be forged, so
 * it is used only if it is certainly ours: a name from a trusted proxy, a loopback name, or the local address of the
 * connection. Otherwise returns `http://localhost:<port>`, as in mails (decision 0028). `port`: where webhooks are, if the
 * request came in on another port; a proxy's name has its own.
 */
export function ownBaseUrl(req: Request, port?: number): string {
  const host = ownHost(req);
  if (host === undefined) return `http://localhost:${port ?? req.socket.localPort ?? 80}`;
  if (port === undefined) return `${req.protocol}://${host}${forwardedPrefix(req)}`;
  if (isForwarded(req)) return `${req.protocol}://${host}`;
  return `${req.protocol}://${req.hostname}:${port}`;
}

/** Returns the host that the sender used, if it is certainly ours (as in `ownBaseUrl`); otherwise undefined. */
export function ownHost(req: Request): string | undefined {
  return isForwarded(req) || isOurs(req) ? req.host : undefined;
}

/** The parts of a request that tell whether a proxy passed it on. */
type Passed = Pick<Request, 'app' | 'get' | 'socket'>;

/** A path that needs no escaping in an address, a header or a page. */
const PREFIX = /^(?:\/[\w.~-]+){1,20}$/;

/**
 * Returns the path that a trusted proxy takes off before it passes requests on, such as `/tools/fabula`: addresses for the
 * sender begin with it. Empty without one.
 */
export function forwardedPrefix(req: Passed): string {
  const prefix = req.get('x-forwarded-prefix')?.replace(/\/$/, '') ?? '';
  return PREFIX.test(prefix) && isFromProxy(req) ? prefix : '';
}

/** Returns true if a trusted proxy sent the name; Express prefers it then. */
function isForwarded(req: Request): boolean {
  return req.headers['x-forwarded-host'] !== undefined && isFromProxy(req);
}

/** Returns true if a trusted proxy passed the request on. */
function isFromProxy(req: Passed): boolean {
  const trusts = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return trusts(req.socket.remoteAddress, 0);
}

function isOurs(req: Request): boolean {
  const name = hostnameOf(req.host);
  if (name === undefined) return false;
  const address = name.replace(/^\[|\]$/g, '');
  if (name === 'localhost' || address === '::1') return true;
  if (isIP(address) === 4 && address.startsWith('127.')) return true;
  return isIP(address) !== 0 && address === req.socket.localAddress?.replace(/^::ffff:/, '');
}
