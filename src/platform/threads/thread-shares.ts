/** A tenant that pauses gets back this part of the time. */
const REGAINED = 0.2;
const MOST_KNOWN = 1_000;

/** The time that tenants have used of the threads, as far as it still counts. */
export interface ThreadShares {
  spent(tenantId: number, ms: number): void;
  /** Returns true if the tenant has used up what it may before all others, with `runningMs` of what it does now. */
  isOver(tenantId: number, runningMs?: number): boolean;
}

/** Creates the shares: each tenant may use `firstMs` of thread time, of which it regains a fifth of the time that passes. */
export function createThreadShares(firstMs: number): ThreadShares {
  const used = new Map<number, { ms: number; at: number }>();
  const usedMs = (tenantId: number): number => {
    const { ms, at } = used.get(tenantId) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - REGAINED * (performance.now() - at));
  };
  const forget = (): void => {
    for (const tenantId of used.keys()) if (usedMs(tenantId) === 0) used.delete(tenantId);
  };
  return {
    spent(tenantId, ms) {
      // Whoever used more is not kept out for longer than a pause of some seconds.
      used.set(tenantId, { ms: Math.min(usedMs(tenantId) + ms, 2 * firstMs), at: performance.now() });
      if (used.size > MOST_KNOWN) forget();
    },
    isOver: (tenantId, runningMs = 0) => usedMs(tenantId) + runningMs >= firstMs,
  };
}
