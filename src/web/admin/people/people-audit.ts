import type { Request, Response } from 'express';
import type { AuditTrail, SignInCandidate } from '../../../people/face.js';
import type { AuditedActor } from '../../../api/face.js';
import { requestIdOf } from '../../../platform/http/server/request-id.js';

/** A change of a person's sessions or password. `response` has the id of the object. */
export interface PeopleDeed {
  action: string;
  response: object;
  /** The status of a refusal. */
  status?: number;
}

/** Returns the actor of what somebody did without a session, for the audit log of the person's tenant. */
export function actorOf({ tenantId, userId, email }: SignInCandidate): AuditedActor {
  return { tenantId, userId, userEmail: email, keyId: null };
}

/** Records a deed in the audit log of the actor's tenant. */
export function recordDeed(
  trail: Pick<AuditTrail, 'record'>,
  { actor, ...deed }: PeopleDeed & { actor: AuditedActor },
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const request = {
    id: requestIdOf(res),
    method: req.method,
    path: req.originalUrl.split('?', 1)[0] ?? '',
    ip: req.ip,
    userAgent: req.get('user-agent'),
  };
  return trail.record({ ...deed, actor, params: {}, body: {}, request });
}
