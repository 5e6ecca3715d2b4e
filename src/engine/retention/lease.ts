import type { Database } from '../../platform/mysql/database.js';
import { LEASE_SECONDS, type LeaseName, releaseLease, takeLease } from './stores/retention-lease-store.js';

/** Another process took over during a pass, because this one was suspended for longer than its lease. */
export class LeaseLost extends Error {}

/** The right to do work that one process does at a time. */
export interface Lease {
  /** Returns false if another process has it. */
  take(): Promise<boolean>;
  /** Renews the lease after a quarter of its time. @throws LeaseLost */
  keep(): Promise<void>;
  release(): Promise<void>;
}

/** Counting needs no lease. */
export const NO_LEASE: Lease = {
  take: () => Promise.resolve(true),
  keep: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/**
 * The lease is a row with a time instead of a lock of the server: such a lock belongs to one connection, which would be
 * reserved for the whole pass. Two passes at once, after a process was suspended, do no harm: each batch checks again.
 */
export function createLease(
  database: Pick<Database, 'read'>,
  { name, owner }: { name: LeaseName; owner: string },
): Lease {
  let takenAt = 0;
  const take = async () => {
    const at = performance.now();
    const taken = await database.read((session) => takeLease(session, name, owner));
    if (taken) takenAt = at;
    return taken;
  };
  return {
    take,
    async keep() {
      if (performance.now() - takenAt < (LEASE_SECONDS * 1000) / 4) return;
      if (!(await take())) throw new LeaseLost('Another process has taken over');
    },
    release: () => database.read((session) => releaseLease(session, name, owner)),
  };
}
