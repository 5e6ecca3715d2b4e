import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../session.js';
import { ensureLeases, freeLease, type HeldLease, renewLease, takeLease } from './lease-store.js';

/** Time after which another process may take the lease of one that died. */
const LEASE_SECONDS = 20;
const RENEW_MS = 5_000;
const ASK_MS = 500;

/** Another process holds the lease now: what this one does is no longer wanted. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another process has taken the lease "${name}"`);
    this.name = new.target.name;
  }
}

/** The requests that work under a lease may make. */
export interface Turn {
  /**
   * Resolves if the lease is still held, and prolongs it. Call it before each step, and before the step is noted.
   * @throws LeaseLost
   */
  prolong(): Promise<void>;
}

export interface LeaseOptions {
  name: string;
  /** How long to wait for another holder. */
  waitSeconds: number;
  /** The error if it does not end in time. */
  busy: string;
}

/**
 * Runs `work` while this process alone holds the lease, in the whole cluster. The lease is prolonged on the session meanwhile, which must be
 * outside of a transaction; it is free after the work, and expires after 20 s if the process dies.
 * @throws Error(`busy`) if another process holds the lease for too long.
 */
export async function underLease<T>(
  session: Session,
  options: LeaseOptions,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  await ensureLeases(session);
  const lease = await waitFor(session, options);
  const done = new AbortController();
  const turn = createTurn(session, lease);
  const renewing = keep(turn, done.signal);
  try {
    return await work(turn);
  } finally {
    done.abort();
    await renewing;
    // If this fails, the lease expires, and the error of the work is the one to tell.
    await freeLease(session, lease).catch(() => undefined);
  }
}

async function waitFor(session: Session, { name, waitSeconds, busy }: LeaseOptions): Promise<HeldLease> {
  const deadline = performance.now() + waitSeconds * 1000;
  const holder = randomUUID();
  for (;;) {
    const lease = await takeLease(session, { name, holder }, LEASE_SECONDS);
    if (lease !== undefined) return lease;
    if (performance.now() > deadline) throw new Error(busy);
    await sleep(ASK_MS);
  }
}

function createTurn(session: Session, lease: HeldLease): Turn {
  return {
    async prolong() {
      if (!(await renewLease(session, lease, LEASE_SECONDS))) throw new LeaseLost(lease.name);
    },
  };
}

/** Prolongs the lease until the signal. An error ends it: the next `prolong` of the work meets it too. */
async function keep(turn: Turn, done: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await sleep(RENEW_MS, undefined, { signal: done });
      await turn.prolong();
    }
  } catch {
    // Aborted; or the lease or the connection is lost, which `prolong` says again.
  }
}
