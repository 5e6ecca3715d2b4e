import type { Request } from 'express';

/** Methods that only read. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Returns true if the request's headers name another origin than the board's. Undefined if no header names an origin,
 * as for tools that are not browsers.
 */
export function isForeign(req: Request, adminOrigin: string | undefined): boolean | undefined {
  const site = req.get('sec-fetch-site');
  const origin = req.get('origin');
  if (site === undefined && origin === undefined) return undefined;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin !== undefined && !isOwn(origin, req, adminOrigin);
}

/** Compares only host and port without a configured origin: a proxy may terminate TLS, so the scheme is unknown. */
function isOwn(origin: string, req: Request, adminOrigin: string | undefined): boolean {
  const configured = adminOrigin === undefined ? undefined : new URL(adminOrigin).origin;
  return origin === configured || origin.replace(/^https?:\/\//, '') === req.host;
}
