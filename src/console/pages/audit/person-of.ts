import type { AuditEntry } from '../../../../clients/typescript/api.js';

/** Returns the name of the one who made a change; their address without a name. */
export function personOf({ user_name: name, user_email: email, source }: AuditEntry): string {
  return name ?? email ?? (source === 'SYSTEM' ? 'system' : 'the command line');
}
