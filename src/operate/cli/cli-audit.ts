import { randomUUID } from 'node:crypto';
import { auditEntry, insertAuditEntry } from '../../people/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { isTransient, needsPerson } from '../../platform/mysql/db-errors.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';

/** The tenant that a command changed, and the user it acted as. */
export interface CliWrite {
  tenantId: number;
  /** Absent if the command acted as no user (anybody with access to this machine). */
  user?: { id: number; email: string };
  /** Why, if the person said so. */
  reason?: string | undefined;
}

/** The facts for the audit entry of one command. */
export interface AuditedCommand extends CliWrite {
  /** The name that the API uses: `story.import`. */
  action: string;
  /** Name of the command without its arguments, which may be secrets: `fabula story import`. */
  command: string;
  /** The created or changed object, as the command prints it. Only its ids are stored. */
  made: unknown;
}

/** Errors that a person must fix are not retried: that person is waiting for the command. */
const isPassing = (error: unknown) => isTransient(error) && !needsPerson(error);

/** Stores the audit entry of a command (spec §2.8). Retries for a minute while the database is unreachable. */
export async function recordCommand(
  database: Pick<Database, 'read'>,
  { action, command, tenantId, user, reason, made }: AuditedCommand,
): Promise<void> {
  const entry = auditEntry({
    action,
    actor: { tenantId, userId: user?.id ?? null, userEmail: user?.email ?? null, keyId: null },
    params: {},
    body: { reason },
    response: made,
    request: { id: randomUUID(), method: 'CLI', path: command, ip: undefined, userAgent: undefined },
  });
  await retryTransient(() => database.read((session) => insertAuditEntry(entry, session)), isPassing);
}
