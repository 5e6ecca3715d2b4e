import type { Session } from '../../platform/mysql/session.js';
import { type QuotaLimits, QuotaReached } from './quota.js';
import { countStock } from './quota-store.js';

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
  return {
    async within(tenantId, session, work) {
      const before = await countStock(tenantId, session);
      const made = await work();
      const after = await countStock(tenantId, session);
      for (const quota of COUNTED) {
        const limit = after.limits[quota] ?? defaults[quota];
        if (limit > 0 && after[quota] > limit && after[quota] > before[quota]) {
          throw new QuotaReached({ quota, used: before[quota], limit });
        }
      }
      return made;
    },
  };
}

/** Enforces no quota: for the command line, whose user operates the server. */
export const NO_STOCK_GUARD: StockGuard = { within: (_tenantId, _session, work) => work() };
