import { type Actor, requireOwner } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import {
  type AuditFilter,
  countAuditEntries,
  listAuditEntries,
  type StoredAuditEntry,
} from './audit-store.js';

export type AuditQuery = Omit<AuditFilter, 'tenantId'>;
export type AuditService = ReturnType<typeof createAuditService>;

/** Reads the audit log, for Owners of the tenant. */
export function createAuditService({ database }: { database: Pick<Database, 'read'> }) {
  return {
    /** Returns a page of the tenant's entries, newest first. @throws Forbidden unless the actor is an Owner. */
    async list(actor: Actor, query: AuditQuery, page: WalkWindow): Promise<WalkPage<StoredAuditEntry>> {
      requireOwner(actor);
      const filter = { ...query, tenantId: actor.tenantId };
      return database.read(async (session) => ({
        total: await countAuditEntries(filter, session),
        ...(await listAuditEntries(filter, page, session)),
      }));
    },
  };
}
