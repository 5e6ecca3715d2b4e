import type { TenantQuotas } from '../../../people/face.js';
import type { CpuShares } from './cpu-shares.js';

/** Returns shares that also count the time spent towards the tenant's quota of processor time. */
export function createMeteredShares(shares: CpuShares, usage: Pick<TenantQuotas, 'add'>): CpuShares {
  return {
    ...shares,
    spent(share, ms) {
      usage.add(share.tenantId, { cpuMs: ms });
      shares.spent(share, ms);
    },
    spentInThread(share, ms) {
      usage.add(share.tenantId, { cpuMs: ms });
      shares.spentInThread(share, ms);
    },
  };
}
