import { v7 as uuidv7 } from 'uuid';
import type { AuditEntry } from '../../../people/face.js';
import type { StoredNotice } from './notice-store.js';

/** Status of the entry: whoever should have passed the notice on did not. */
const BAD_GATEWAY = 502;

/** Returns the entry of the audit log about a notice that was given up. */
export function givenUpEntry(
  { id, tenantId, teamId, storyId }: StoredNotice,
  target: 'story' | 'team',
): AuditEntry {
  const targetId = target === 'story' ? storyId : teamId;
  return {
    guid: uuidv7(),
    tenantId,
    teamId,
    userId: null,
    userEmail: null,
    keyId: null,
    sessionId: null,
    action: `${target}.notice_failed`,
    targetType: target,
    targetId,
    method: 'SYSTEM',
    path: `/${target === 'story' ? 'stories' : 'teams'}/${targetId}/notices/${id}`,
    ip: null,
    userAgent: null,
    requestId: `notice-${id}`,
    reason: null,
    status: BAD_GATEWAY,
    createdAt: new Date(),
  };
}
