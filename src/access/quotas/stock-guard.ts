import type { Session } from '../../platform/mysql/session.js';
import { type QuotaLimits, QuotaReached } from './quota.js';
import { countStock } from './quota-store.js';

/** What is counted when something is made of it. */
const COUNTED = ['stories', 'schedules'] as const;

/** Holds a tenant to its stories and schedules, in the transaction that makes them. */
export interface StockGuard {
  /**
   * Does `work`; where the tenant then has more than its quota, and more than before, nothing of it holds.
   * @throws QuotaReached
   */
  within<T>(tenantId: number, session: Session, work: () => Promise<T>): Promise<T>;
}

/** `defaults`: for tenants without quotas of their own; 0 = no limit. */
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

/** Holds nobody to anything: for the command line, whose user runs the server. */
export const NO_STOCK_GUARD: StockGuard = { within: (_tenantId, _session, work) => work() };
