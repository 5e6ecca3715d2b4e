import type { Request, Response } from 'express';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import type { Actor } from '../../access/auth/actor.js';
import { requestIdOf } from '../../platform/http/request-id.js';

/** A change of a person's sessions or password. `answer` has the id of the object. */
export interface PeopleDeed {
  action: string;
  answer: object;
}

/** Records a deed in the audit log of the actor's tenant. */
export function recordDeed(
  trail: Pick<AuditTrail, 'record'>,
  { actor, action, answer }: PeopleDeed & { actor: Actor },
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const request = {
    id: requestIdOf(res),
    method: req.method,
    path: req.originalUrl.split('?', 1)[0] ?? '',
    ip: req.ip,
    userAgent: req.get('user-agent'),
  };
  return trail.record({ action, actor, params: {}, body: {}, answer, request });
}
