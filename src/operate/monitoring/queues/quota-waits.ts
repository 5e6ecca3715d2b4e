import { visibleTeamIds } from '../../../api/face.js';
import { QUOTA_NAMES, type QuotaWait, type ReadQuotaWaits } from '../../../people/face.js';
import type { CountWork } from './counted-work.js';

/** Creates the reader of what waits for the quotas of a tenant. */
export function createQuotaWaits(work: CountWork): ReadQuotaWaits {
  return async (actor) => {
    const found = await work();
    if (found === null) return null;
    const teams = new Set(visibleTeamIds(actor));
    const waits = new Map<string, QuotaWait>();
    for (const { teamId, reason, count, oldestMs } of found.counts) {
      const name = QUOTA_NAMES.find((quota) => quota === reason);
      if (name === undefined || !teams.has(teamId)) continue;
      const before = waits.get(name);
      const since = new Date(Math.min(oldestMs, before?.since.getTime() ?? oldestMs));
      waits.set(name, { count: count + (before?.count ?? 0), since });
    }
    return waits;
  };
}
