import { randomUUID } from 'node:crypto';
import { auditEntry } from '../access/audit/audit-entry.js';
import { insertAuditEntry } from '../access/audit/audit-store.js';
import type { Database } from '../platform/mysql/database.js';
import { isTransient, needsPerson } from '../platform/mysql/db-errors.js';
import { retryTransient } from '../platform/mysql/retry-transient.js';

/** Where a command wrote, and as whom. */
export interface CliWrite {
  tenantId: number;
  /** Absent: as nobody (somebody at this machine). */
  user?: { id: number; email: string };
}

/** What the audit log is to say of it. */
export interface AuditedCommand extends CliWrite {
  /** As the API calls it: `story.import`. */
  action: string;
  /** Its name: `fabula story import`. What was given to it may be a secret. */
  command: string;
  /** What it made or changed, as its answer shows it; ids are taken from it, and nothing else. */
  made: unknown;
}

/** The person who could mend the other states is the one who waits for the command. */
const isPassing = (error: unknown) => isTransient(error) && !needsPerson(error);

/** Stores the entry of a write from the command line (spec §2.8); tries for a minute while the database is away. */
export async function recordCommand(
  database: Pick<Database, 'read'>,
  { action, command, tenantId, user, made }: AuditedCommand,
): Promise<void> {
  const entry = auditEntry({
    action,
    actor: { tenantId, userId: user?.id ?? null, userEmail: user?.email ?? null, keyId: null },
    params: {},
    body: {},
    answer: made,
    request: { id: randomUUID(), method: 'CLI', path: command, ip: undefined, userAgent: undefined },
  });
  await retryTransient(() => database.read((session) => insertAuditEntry(entry, session)), isPassing);
}
