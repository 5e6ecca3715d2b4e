import { LRUCache } from 'lru-cache';

/** What a tenant may use at once, and all tenants together, in ms. */
const BURST_MS = 200;
/** All tenants together may use twice as much as one. */
const TENANTS_OF_ALL = 2;
/** What every delivery takes; only what goes beyond is counted. */
const FREE_MS = 0.25;
/** An action that took too long goes to a thread for so long. */
const REMEMBERED_MS = 60_000;
/** A tenant is alone when no other one had work for so long. */
const ALONE_MS = 10_000;
const MAX_TENANTS = 10_000;
const MAX_ACTIONS = 10_000;

/** Whose work it is. */
export interface CpuShare {
  tenantId: number;
  agentId: number;
}

/** Processor time of a tenant in this process so far, in ms. */
export interface CpuUse {
  loopMs: number;
  threadMs: number;
}

/** Processor time of the event loop that tenants share (promise 9). */
export interface CpuShares {
  /** Whether the action may be worked on here: it was quick lately, and its tenant has time left, or is alone. */
  isFree(share: CpuShare): boolean;
  /** Work was done here. */
  spent(share: CpuShare, ms: number): void;
  /** Work was too long for here: it is done in threads for a while. */
  wasTooLong(share: CpuShare): void;
  /** Work was done in a thread. */
  spentInThread(share: CpuShare, ms: number): void;
  /** How long the tenant has to wait until it has time left, in ms; 0 when it has, or is alone. */
  debtMs(tenantId: number): number;
  /** What tenants have used, for who measures: of those that were here lately. */
  usage(): Map<number, CpuUse>;
}

interface Bucket {
  leftMs: number;
  at: number;
}

/** Gives it what has become due. */
function filled<Filled extends Bucket>(
  bucket: Filled,
  now: number,
  { rate, most }: { rate: number; most: number },
): Filled {
  bucket.leftMs = Math.min(most, bucket.leftMs + (now - bucket.at) * rate);
  bucket.at = now;
  return bucket;
}

type Account = CpuUse & Bucket;

/** @param share of a process's time that one tenant may have here, from 0 to 1. */
export function createCpuShares(share: number): CpuShares {
  const accounts = new LRUCache<number, Account>({ max: MAX_TENANTS });
  const tooLong = new LRUCache<number, true>({ max: MAX_ACTIONS, ttl: REMEMBERED_MS });
  const all = { leftMs: TENANTS_OF_ALL * BURST_MS, at: performance.now() };
  let lastTenant = 0;
  let changedAt = Number.NEGATIVE_INFINITY;

  const accountOf = (tenantId: number, now: number): Account => {
    const known = accounts.get(tenantId);
    if (known !== undefined) return known;
    const account = { leftMs: BURST_MS, at: now, loopMs: 0, threadMs: 0 };
    accounts.set(tenantId, account);
    return account;
  };

  const ofTenant = (tenantId: number, now: number) =>
    filled(accountOf(tenantId, now), now, { rate: share, most: BURST_MS });
  const ofAll = (now: number) =>
    filled(all, now, { rate: Math.min(1, TENANTS_OF_ALL * share), most: TENANTS_OF_ALL * BURST_MS });

  const isAlone = (tenantId: number, now: number): boolean => {
    if (tenantId !== lastTenant) {
      lastTenant = tenantId;
      changedAt = now;
    }
    return now - changedAt > ALONE_MS;
  };

  return {
    isFree({ tenantId, agentId }) {
      if (tooLong.size > 0 && tooLong.has(agentId)) return false;
      const now = performance.now();
      if (isAlone(tenantId, now)) return true;
      return ofTenant(tenantId, now).leftMs > 0 && ofAll(now).leftMs > 0;
    },
    spent({ tenantId }, ms) {
      const over = ms - FREE_MS;
      const account = accountOf(tenantId, performance.now());
      account.loopMs += ms;
      if (over <= 0) return;
      account.leftMs -= over;
      all.leftMs -= over;
    },
    wasTooLong({ agentId }) {
      tooLong.set(agentId, true);
    },
    spentInThread({ tenantId }, ms) {
      accountOf(tenantId, performance.now()).threadMs += ms;
    },
    debtMs(tenantId) {
      const now = performance.now();
      if (isAlone(tenantId, now)) return 0;
      return Math.max(0, -ofTenant(tenantId, now).leftMs / share);
    },
    usage: () =>
      new Map([...accounts].map(([tenantId, { loopMs, threadMs }]) => [tenantId, { loopMs, threadMs }])),
  };
}
