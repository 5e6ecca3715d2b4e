import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import { type QuotaLimits, QuotaReached } from './quota.js';
import { countStock, type StoredStock } from './quota-store.js';

/** Quotas that are counted exactly, in the transaction that creates objects. */
const COUNTED = ['stories', 'schedules'] as const;

/** Enforces the quotas of stories and schedules, in the transaction that creates them. */
export interface StockGuard {
  /**
   * Runs `work` and returns its result.
   * @throws QuotaReached if the tenant then has more than its quota, and more than before: the transaction rolls back.
   */
  within<T>(tenantId: number, session: Session, work: () => Promise<T>): Promise<T>;
}

/** `defaults` apply to tenants without their own quotas; 0 = no limit. */
export function createStockGuard(defaults: Pick<QuotaLimits, (typeof COUNTED)[number]>): StockGuard {
  const limitOf = (quota: (typeof COUNTED)[number], { limits }: StoredStock): number =>
    limits[quota] ?? defaults[quota];
  return {
    async within(tenantId, session, work) {
      const before = await countStock(tenantId, session);
      const made = await work();
      const grown = (after: StoredStock) =>
        COUNTED.filter((quota) => limitOf(quota, after) > 0 && after[quota] > before[quota]);
      if (grown(await countStock(tenantId, session)).length === 0) return made;
      // Transactions that create at the same time take turns from here, and count what the others have made.
      await claimRow(session, 'tenants', tenantId);
      const after = await countStock(tenantId, session);
      for (const quota of grown(after)) {
        const limit = limitOf(quota, after);
        if (after[quota] > limit) throw new QuotaReached({ quota, used: before[quota], limit });
      }
      return made;
    },
  };
}

/** Enforces no quota: for the command line, whose user operates the server. */
export const NO_STOCK_GUARD: StockGuard = { within: (_tenantId, _session, work) => work() };
