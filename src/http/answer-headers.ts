import type { NextFunction, Request, Response } from 'express';

/**
 * Headers of every answer. Set by hand: helmet's dozen more matter to pages only, and cost each webhook call.
 * The board's pages replace the policy with their own.
 */
export function answerHeaders(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  next();
}
