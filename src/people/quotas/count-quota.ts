import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import { type QuotaLimits, QuotaReached } from './quota.js';
import { countObjects, type StoredCounts } from './quota-store.js';

/** Quotas that are counted exactly, in the transaction that creates objects. */
const COUNTED = ['stories', 'schedules'] as const;

/** Enforces the quotas of stories and schedules, in the transaction that creates them. */
export interface CountQuota {
  /**
   * Runs `work` and returns its result.
   * @throws QuotaReached if the tenant then has more than its quota, and more than before: the transaction rolls back.
   */
  within<T>(tenantId: number, session: Session, work: () => Promise<T>): Promise<T>;
}

/** `defaults` apply to tenants without their own quotas; 0 = no limit. */
export function createCountQuota(defaults: Pick<QuotaLimits, (typeof COUNTED)[number]>): CountQuota {
  const limitOf = (quota: (typeof COUNTED)[number], { limits }: StoredCounts): number =>
    limits[quota] ?? defaults[quota];
  return {
    async within(tenantId, session, work) {
      const before = await countObjects(tenantId, session);
      const made = await work();
      const grown = (after: StoredCounts) =>
        COUNTED.filter((quota) => limitOf(quota, after) > 0 && after[quota] > before[quota]);
      if (grown(await countObjects(tenantId, session)).length === 0) return made;
      // Transactions that create at the same time take turns from here, and count what the others have made.
      await claimRow(session, 'tenants', tenantId);
      const after = await countObjects(tenantId, session);
      for (const quota of grown(after)) {
        const limit = limitOf(quota, after);
        if (after[quota] > limit) throw new QuotaReached({ quota, used: before[quota], limit });
      }
      return made;
    },
  };
}

/** Enforces no quota: for the command line, whose user operates the server. */
export const NO_COUNT_QUOTA: CountQuota = { within: (_tenantId, _session, work) => work() };
