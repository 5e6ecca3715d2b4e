import type { Request } from 'express';
import { Forbidden } from '../../platform/errors.js';
import { ownHost } from '../../platform/http/address/own-base-url.js';

/**
 * Refuses requests that a page of another origin sends, also of one whose name leads to this server (DNS rebinding).
 * Clients that are no browsers send no `Origin`.
 * @throws Forbidden
 */
export function requireMcpOrigin(req: Request, publicUrl: string | undefined): void {
  const origin = req.get('origin');
  if (origin === undefined || origin === ownOrigin(req, publicUrl)) return;
  throw new Forbidden('Requests from other origins are not allowed');
}

/** Undefined if the name in the request is not certainly ours. */
function ownOrigin(req: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const host = ownHost(req);
  return host === undefined ? undefined : `${req.protocol}://${host}`;
}
