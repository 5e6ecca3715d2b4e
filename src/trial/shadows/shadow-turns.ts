/** A shadow that has nothing to do is not looked at for this time, in ms: it waits for runs to end, or for tomorrow's quota. */
const REST_MS = 5_000;

/** A shadow that may have something to do. */
export interface DueShadow {
  id: number;
  tenantId: number;
}

/** The next turn, or the time in ms until one may be taken; undefined: nothing is to do. */
export type NextTurn = { shadow: DueShadow } | { waitMs: number } | undefined;

/**
 * Decides whose turn it is. Tenants take turns, and so do the shadows of each. A turn makes a debt of its tenant, and debts are paid
 * together at the rate of `share`, the same for each: a tenant with a debt waits while the others go on, and all of them
 * together take no more than the share of a processor. `now` returns ms.
 */
export function createShadowTurns(share: number, now: () => number = () => performance.now()) {
  /** What each tenant used and has not paid, in ms. */
  const debts = new Map<number, number>();
  /** When tenants and shadows had their last turn, as its number. */
  const tenantTurns = new Map<number, number>();
  const shadowTurns = new Map<number, number>();
  const restsUntil = new Map<number, number>();
  let turns = 0;
  let paidAt = now();

  const pay = (): void => {
    let budget = Math.max(0, now() - paidAt) * share;
    paidAt = now();
    while (budget > 0 && debts.size > 0) {
      // What a small debt leaves of its part is for the others.
      const part = budget / debts.size;
      for (const [tenantId, debt] of debts) {
        const paid = Math.min(debt, part);
        budget -= paid;
        if (paid === debt) debts.delete(tenantId);
        else debts.set(tenantId, debt - paid);
      }
      if (part < 1e-6) break;
    }
  };

  return {
    /** Forgets when all others had their turns, so that little is remembered. */
    keep(due: readonly DueShadow[]): void {
      const ids = new Set(due.map(({ id }) => id));
      const tenantIds = new Set(due.map(({ tenantId }) => tenantId));
      for (const known of [restsUntil, shadowTurns])
        for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      for (const id of tenantTurns.keys()) if (!tenantIds.has(id)) tenantTurns.delete(id);
    },

    /** Returns the shadow whose turn it is among those that are due. */
    next(due: readonly DueShadow[]): NextTurn {
      pay();
      const awake = due.filter(({ id }) => (restsUntil.get(id) ?? 0) <= now());
      if (awake.length === 0) return undefined;
      const [shadow] = awake
        .filter(({ tenantId }) => !debts.has(tenantId))
        .toSorted(
          (a, b) =>
            (tenantTurns.get(a.tenantId) ?? 0) - (tenantTurns.get(b.tenantId) ?? 0) ||
            (shadowTurns.get(a.id) ?? 0) - (shadowTurns.get(b.id) ?? 0) ||
            a.id - b.id,
        );
      if (shadow !== undefined) return { shadow };
      const least = Math.min(...awake.map(({ tenantId }) => debts.get(tenantId) ?? 0));
      return { waitMs: (least * debts.size) / share };
    },

    /** Counts a turn that took `ms`; `rests`: nothing was to do. */
    took({ id, tenantId }: DueShadow, { ms, rests }: { ms: number; rests: boolean }): void {
      turns += 1;
      tenantTurns.set(tenantId, turns);
      shadowTurns.set(id, turns);
      if (rests) restsUntil.set(id, now() + REST_MS);
      // The time of the turn itself pays too: of a share of 1, nothing is left.
      debts.set(tenantId, (debts.get(tenantId) ?? 0) + ms);
      pay();
    },
  };
}
