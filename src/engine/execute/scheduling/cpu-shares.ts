import { LRUCache } from 'lru-cache';

/** Processor time that a tenant may use in one burst. */
const BURST_MS = 200;
/** All tenants together may use so many times what one may. */
const TENANTS_OF_ALL = 2;
/** When all have used that, each may still use an equal part of it, so much in one burst. */
const EQUAL_BURST_MS = 50;
/** A tenant has a part for this long after its last work. */
const ACTIVE_MS = 10_000;
/** The tenants with a part are counted so often. */
const COUNT_EVERY_MS = 1_000;
/** Time of each piece of work that is not counted. */
const FREE_MS = 0.25;
/** An agent that took too long runs in threads for this long. */
const REMEMBERED_MS = 60_000;
/** A tenant counts as alone if no other had work for this long. */
const ALONE_MS = 10_000;
const MAX_TENANTS = 10_000;
const MAX_ACTIONS = 10_000;

/** The tenant and agent that work is counted for. */
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
  /** Returns true if the agent may run on the event loop: it was quick lately, and its tenant has time left or is alone. */
  isFree(share: CpuShare): boolean;
  /** Counts work done on the event loop. */
  spent(share: CpuShare, ms: number): void;
  /** The agent took too long for the event loop: it runs in threads for a while. */
  wasTooLong(share: CpuShare): void;
  /** Counts work done in a thread. */
  spentInThread(share: CpuShare, ms: number): void;
  /** Returns the ms until the tenant has time left; 0 if it has some or is alone. */
  debtMs(tenantId: number): number;
  /** Returns the use of tenants that had work lately, for measurements. */
  usage(): Map<number, CpuUse>;
}

interface Bucket {
  leftMs: number;
  at: number;
}

/** Adds the time earned since the last call, up to `most`. */
function filled<Filled extends Bucket>(
  bucket: Filled,
  now: number,
  { rate, most }: { rate: number; most: number },
): Filled {
  bucket.leftMs = Math.min(most, bucket.leftMs + (now - bucket.at) * rate);
  bucket.at = now;
  return bucket;
}

interface Account extends CpuUse, Bucket {
  /** Its equal part of the time that all tenants may use. */
  part: Bucket;
}

/** @param share part of the event loop's time that one tenant may use, from 0 to 1. */
export function createCpuShares(share: number): CpuShares {
  const accounts = new LRUCache<number, Account>({ max: MAX_TENANTS });
  const tooLong = new LRUCache<number, true>({ max: MAX_ACTIONS, ttl: REMEMBERED_MS });
  const all = { leftMs: TENANTS_OF_ALL * BURST_MS, at: performance.now() };
  const sumRate = Math.min(1, TENANTS_OF_ALL * share);
  let active = { count: 1, at: Number.NEGATIVE_INFINITY };
  let lastTenant = 0;
  let changedAt = Number.NEGATIVE_INFINITY;

  const accountOf = (tenantId: number, now: number): Account => {
    const known = accounts.get(tenantId);
    if (known !== undefined) return known;
    const part = { leftMs: EQUAL_BURST_MS, at: now };
    const account = { leftMs: BURST_MS, at: now, loopMs: 0, threadMs: 0, part };
    accounts.set(tenantId, account);
    return account;
  };

  const ofTenant = (tenantId: number, now: number) =>
    filled(accountOf(tenantId, now), now, { rate: share, most: BURST_MS });
  const ofAll = (now: number) => filled(all, now, { rate: sumRate, most: TENANTS_OF_ALL * BURST_MS });

  const countActive = (now: number): number => {
    if (now - active.at < COUNT_EVERY_MS) return active.count;
    let count = 0;
    for (const { at } of accounts.values()) if (now - at < ACTIVE_MS) count += 1;
    active = { count: Math.max(1, count), at: now };
    return active.count;
  };
  /** Without it a tenant with little work would wait for threads that others keep busy. */
  const partOf = (tenantId: number, now: number) =>
    filled(accountOf(tenantId, now).part, now, {
      rate: Math.min(share, sumRate / countActive(now)),
      most: EQUAL_BURST_MS,
    });

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
      if (ofTenant(tenantId, now).leftMs <= 0) return false;
      return ofAll(now).leftMs > 0 || partOf(tenantId, now).leftMs > 0;
    },
    spent({ tenantId }, ms) {
      const over = ms - FREE_MS;
      const account = accountOf(tenantId, performance.now());
      account.loopMs += ms;
      if (over <= 0) return;
      account.leftMs -= over;
      account.part.leftMs -= over;
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
