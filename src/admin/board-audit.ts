import type { Request, RequestHandler, Response } from 'express';
import { INSTANCE } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { requestIdOf } from '../platform/http/request-id.js';
import { READS } from './same-origin.js';

/** What was done, and the status that it was answered with. */
export interface BoardDeed {
  action: string;
  status: number;
}

export type BoardAudit = ReturnType<typeof createBoardAudit>;

/** What the last part of an address of the board that changes something may be; what stands before it is queue and job. */
const DEEDS = new Set([
  'add',
  'clean',
  'concurrency',
  'delay',
  'empty',
  'obliterate',
  'pause',
  'priority',
  'promote',
  'rate-limit',
  'release',
  'remove',
  'remove-unprocessed-children',
  'resume',
  'retry',
  'run',
  'update-data',
]);

/**
 * Notes what is done on the board in the audit log, as deeds on the instance: no tenant sees them (`fabula audit` does). The
 * path tells queue and job.
 */
export function createBoardAudit(trail: Pick<AuditTrail, 'record'>, user: string) {
  const record = ({ action, status }: BoardDeed, req: Request, res: Response): Promise<void> =>
    trail.record({
      action,
      actor: { tenantId: INSTANCE, userId: null, userEmail: user, keyId: null },
      params: {},
      body: {},
      answer: {},
      status,
      request: {
        id: requestIdOf(res),
        method: req.method,
        path: pathOf(req),
        ip: req.ip,
        userAgent: req.get('user-agent'),
      },
    });

  /** Every change that somebody who is let in asks for, refused ones too; the answer waits for the entry. */
  const changes: RequestHandler = (req, res, next) => {
    if (READS.has(req.method)) return next();
    const deed = deedOf(pathOf(req));
    const end = res.end.bind(res) as (...args: unknown[]) => Response;
    let ended = false;
    res.end = ((...args: unknown[]) => {
      if (ended) return res;
      ended = true;
      void record({ action: `board.${deed}`, status: res.statusCode }, req, res).finally(() => end(...args));
      return res;
    }) as typeof res.end;
    next();
  };

  return { record, changes };
}

function pathOf(req: Request): string {
  return req.originalUrl.split('?', 1)[0] ?? '';
}

function deedOf(path: string): string {
  const found = path.split('/').findLast((part) => DEEDS.has(part));
  return (found ?? 'change').replaceAll('-', '_');
}
