import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { type AuditEntry, auditEntry } from './audit-entry.js';
import type { AuditedWrite } from '../../api/face.js';
import { insertAuditEntry } from './audit-store.js';

/** A response waits at most this long for its entry; after that the entry is stored in the background. */
const ANSWER_WAIT_MS = 1_000;
/** Time to store entries at shutdown; those not stored by then are given up. */
const DRAIN_MS = 5_000;
/** Maximum number of entries that wait for the database; further ones are logged instead of stored. */
const MAX_PENDING = 1_000;

export interface AuditTrailDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
  /** Called when an entry of a tenant was stored. */
  onStored?: (tenantId: number) => void;
}

/** Writes the audit log. */
export interface AuditTrail {
  /**
   * Stores the entry of one write. Never throws: the write has succeeded, and its response must say so. Retries for
   * a minute while the database is unreachable. An entry that cannot be stored is logged completely, as an error.
   */
  record(write: AuditedWrite): Promise<void>;
  /** Resolves within seconds, when every entry is stored or given up. */
  drain(): Promise<void>;
}

/** Creates the trail of one web process. */
export function createAuditTrail({ database, logger, onStored }: AuditTrailDeps): AuditTrail {
  const pending = new Map<Promise<void>, AuditEntry>();

  const lost = (entry: AuditEntry, reason: string) =>
    logger.error('could not store an audit log entry', { entry, error: reason });

  const store = async (entry: AuditEntry): Promise<void> => {
    try {
      await retryTransient(() => database.read((session) => insertAuditEntry(entry, session)));
      onStored?.(entry.tenantId);
    } catch (error) {
      lost(entry, messageOf(error));
    }
  };

  return {
    async record(write) {
      const entry = auditEntry(write);
      if (pending.size >= MAX_PENDING) {
        lost(entry, 'too many entries are waiting');
        return;
      }
      const stored = store(entry).finally(() => pending.delete(stored));
      pending.set(stored, entry);
      await atMost(ANSWER_WAIT_MS, stored);
    },
    async drain() {
      await atMost(DRAIN_MS, Promise.all(pending.keys()));
      for (const entry of pending.values()) lost(entry, 'the process is stopping');
    },
  };
}

/** Waits for `work`, which never rejects, but at most `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  done.abort();
}
