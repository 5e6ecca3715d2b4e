import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { AppError, Forbidden } from '../errors.js';

/** Wrong passwords from one address within a minute, before it has to wait. */
const MAX_FAILURES = 10;
const FAILURE_WINDOW_MS = 60_000;

export interface AdminAccount {
  user: string;
  password: string;
}

/** HTTP Basic with one account. After ten wrong passwords within a minute an address gets 429 for the rest of it. */
export function adminAuth(account: AdminAccount): RequestHandler {
  const expected = digest(`${account.user}:${account.password}`);
  const failures = new LRUCache<string, { count: number }>({ max: 10_000, ttl: FAILURE_WINDOW_MS });

  return (req: Request, _res: Response, next: NextFunction) => {
    const address = req.ip ?? '';
    const failed = failures.get(address);
    if (failed !== undefined && failed.count >= MAX_FAILURES) {
      throw new AppError(429, 'Too many wrong passwords', {
        headers: { 'Retry-After': String(Math.ceil(failures.getRemainingTTL(address) / 1000)) },
      });
    }
    const given = basicCredentials(req.get('authorization'));
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return next();
    if (failed !== undefined && given !== undefined) failed.count += 1;
    else if (given !== undefined) failures.set(address, { count: 1 });
    throw new AppError(401, 'The administrator’s user and password are required', {
      headers: { 'WWW-Authenticate': 'Basic realm="Fabula", charset="UTF-8"' },
    });
  };
}

/**
 * Refuses changes that another site makes a browser send: with Basic, the browser adds the password by itself.
 * Tools that are no browser send neither header.
 */
export function sameSiteOnly(req: Request, _res: Response, next: NextFunction): void {
  const site = req.get('sec-fetch-site');
  const origin = req.get('origin');
  const foreign =
    site === undefined
      ? origin !== undefined && origin.replace(/^https?:\/\//, '') !== req.host
      : site !== 'same-origin' && site !== 'none';
  if (foreign && req.method !== 'GET' && req.method !== 'HEAD') {
    throw new Forbidden('Changes from other sites are refused');
  }
  next();
}

/** `user:password` of a Basic header. */
function basicCredentials(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Digests are of one length, as comparing in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
