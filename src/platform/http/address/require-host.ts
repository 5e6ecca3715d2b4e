import type { NextFunction, Request, Response } from 'express';
import { AppError, BadRequest } from '../../errors.js';

/** A host with or without a port (RFC 3986 §3.2.2): URLs may be built from it. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;
/** A request target that is an absolute URL: scheme and authority. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * Refuses requests that two servers could read as two different ones (RFC 9112 §3.2): without a `Host`, with two, or with
 * one that differs from the host of the URL. Node would refuse the first itself, but not in the API's error format.
 */
export function requireHost(req: Request, res: Response, next: NextFunction): void {
  const fault = faultOf(req);
  if (fault === undefined) return next();
  // Like Node: further requests on such a connection are not worth reading.
  res.set('Connection', 'close');
  throw fault;
}

function faultOf(req: Request): AppError | undefined {
  if (req.httpVersionMajor !== 1) return new AppError(505, 'Only HTTP/1.0 and HTTP/1.1 are served');
  const { host } = req.headers;
  if (host === undefined) {
    return req.httpVersion === '1.0' ? undefined : new BadRequest('The request has no Host header');
  }
  if (hasTwoHosts(req.rawHeaders)) return new BadRequest('The request has more than one Host header');
  if (!HOST.test(host)) return new BadRequest('The Host header is not a host');
  return targetFault(req.url, host);
}

/** Names and values alternate. */
function hasTwoHosts(headers: readonly string[]): boolean {
  let found = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') found += 1;
  }
  return found > 1;
}

function targetFault(target: string, host: string): AppError | undefined {
  if (target.startsWith('/') || target === '*') return undefined;
  const [, authority] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return new BadRequest('The request target is not a URL');
  if (authority.toLowerCase() === host.toLowerCase()) return undefined;
  return new BadRequest('The request target has another host than the Host header');
}
