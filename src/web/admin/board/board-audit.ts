import type { Request, RequestHandler, Response } from 'express';
import { type AuditTrail, INSTANCE } from '../../../people/face.js';
import { requestIdOf } from '../../../platform/http/server/request-id.js';
import { operatorOf } from '../admin-auth.js';
import { READS } from '../same-origin.js';

/** An action on the board, and the status of its response. */
export interface BoardDeed {
  action: string;
  status: number;
}

export type BoardAudit = ReturnType<typeof createBoardAudit>;

/** Names of changes in the board's addresses; the parts before such a name are queue and job. */
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
 * Records changes on the board in the audit log, as changes of the instance: only `fabula audit` shows them, no tenant
 * does. The path names queue and job. `user`: the account, for changes without a person of the console.
 */
export function createBoardAudit(trail: Pick<AuditTrail, 'record'>, user: string) {
  const record = ({ action, status }: BoardDeed, req: Request, res: Response): Promise<void> =>
    trail.record({
      action,
      actor: { tenantId: INSTANCE, userId: null, userEmail: operatorOf(res) ?? user, keyId: null },
      params: {},
      body: {},
      response: {},
      status,
      request: {
        id: requestIdOf(res),
        method: req.method,
        path: pathOf(req),
        ip: req.ip,
        userAgent: req.get('user-agent'),
      },
    });

  /** Records every change of an authenticated request, also refused ones. The response waits for the entry. */
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
