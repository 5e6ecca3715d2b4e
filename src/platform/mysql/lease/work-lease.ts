import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import { freeLease, type HeldLease, renewLease, takeLease } from './lease-store.js';
import { LeaseLost } from './under-lease.js';

/** After this, the lease of a process that died no longer blocks others. */
const LEASE_SECONDS = 60;

/** The right to do work that one process does at a time. */
export interface WorkLease {
  /** Returns false if another process has it. */
  take(): Promise<boolean>;
  /** Renews the lease after a quarter of its time. @throws LeaseLost */
  keep(): Promise<void>;
  release(): Promise<void>;
}

/** Counting needs no lease. */
export const NO_LEASE: WorkLease = {
  take: () => Promise.resolve(true),
  keep: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/**
 * Creates a lease for long work on many connections: it holds none, unlike `underLease`. Two processes may work at once after
 * one was suspended, so the work must be safe then.
 */
export function createWorkLease(database: Pick<Database, 'read'>, name: string): WorkLease {
  let held: HeldLease | undefined;
  let confirmedAt = 0;
  return {
    async take() {
      confirmedAt = performance.now();
      held = await database.read((session) =>
        takeLease(session, { name, holder: randomUUID() }, LEASE_SECONDS),
      );
      return held !== undefined;
    },
    async keep() {
      const now = performance.now();
      if (now - confirmedAt < (LEASE_SECONDS * 1000) / 4) return;
      const lease = held;
      const isHeld =
        lease !== undefined && (await database.read((session) => renewLease(session, lease, LEASE_SECONDS)));
      if (!isHeld) throw new LeaseLost(name);
      confirmedAt = now;
    },
    async release() {
      const lease = held;
      if (lease !== undefined) await database.read((session) => freeLease(session, lease));
    },
  };
}
