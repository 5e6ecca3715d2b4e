import type { Request } from 'express';

/** Methods that only read. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Whether a browser says that its request comes from another page than the board's own. Undefined: nothing says where it
 * comes from, as with tools that are no browser.
 */
export function isForeign(req: Request, adminOrigin: string | undefined): boolean | undefined {
  const site = req.get('sec-fetch-site');
  const origin = req.get('origin');
  if (site === undefined && origin === undefined) return undefined;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin !== undefined && !isOwn(origin, req, adminOrigin);
}

/** Whether TLS ends before this process is not always known: without a configured origin, host and port must do. */
function isOwn(origin: string, req: Request, adminOrigin: string | undefined): boolean {
  return origin === adminOrigin || origin.replace(/^https?:\/\//, '') === req.host;
}
