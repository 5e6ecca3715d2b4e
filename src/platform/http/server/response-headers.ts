import type { NextFunction, Request, Response } from 'express';

/** Policy for content that tenants serve: in a browser it runs no script, sends no form and has no origin (decision 0028). */
const SANDBOX_POLICY =
  "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** Headers of every response that no story and no route may replace by weaker ones. */
export const GUARD_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': SANDBOX_POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/**
 * Sets the headers of every response. By hand: helmet's dozen more matter only for pages, and cost each webhook request.
 * Our own pages replace the policy with their own.
 */
export function responseHeaders(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of GUARDS) res.setHeader(name, value);
  next();
}

const GUARDS = Object.entries(GUARD_HEADERS);
