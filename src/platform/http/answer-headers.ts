import type { NextFunction, Request, Response } from 'express';

/** Of whatever tenants serve: a browser that shows it runs no script, sends no form, and counts it to no origin (decision 0028). */
export const SANDBOX_POLICY =
  "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** Headers of every answer that no story and no route may replace by weaker ones. */
export const GUARD_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': SANDBOX_POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/**
 * Headers of every answer. Set by hand: helmet's dozen more matter to pages only, and cost each webhook call.
 * Our own pages replace the policy with their own.
 */
export function answerHeaders(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of GUARDS) res.setHeader(name, value);
  next();
}

const GUARDS = Object.entries(GUARD_HEADERS);
