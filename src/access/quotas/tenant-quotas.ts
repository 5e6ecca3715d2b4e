import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/mysql/database.js';
import type { Logger } from '../../platform/logger.js';
import {
  ARRIVAL_QUOTAS,
  type DailyQuota,
  type DayUsage,
  type QuotaLimits,
  QuotaReached,
  sumOfUsage,
  type UsedUp,
  usedOf,
} from './quota.js';
import { createQuotaTurns } from './quota-turns.js';
import type { Standing } from './standing.js';
import { createUsageTally } from './usage-tally.js';

/** How often what was used is stored, and what all processes have used is read. */
const EVERY_MS = 3_000;
/** For a tenant of which this process knows nothing, or nothing new. */
const SOON_MS = 50;
const MAX_TENANTS = 10_000;
const MAIL_QUOTAS: readonly DailyQuota[] = ['mails_per_day'];

/** What tenants use, and whether they may use more. No look waits for anybody (decision 0032). */
export interface TenantQuotas {
  /** Counts what the tenant used today. Costs no round trip: sums are stored every few seconds. */
  add(tenantId: number, usage: Partial<DayUsage>): void;
  /** The same, where only the story is known. */
  addOfStory(storyId: number, usage: Partial<DayUsage>): void;
  /** The first quota for new runs that is used up, as far as this process knows: some seconds behind. */
  arrivalRefusal(tenantId: number): UsedUp | undefined;
  /** @throws QuotaReached when the tenant may begin no more runs today. */
  requireArrival(tenantId: number): void;
  /** @throws QuotaReached when the tenant may send no more mails today. */
  requireMail(tenantId: number): void;
  /** Counts one more record. @throws QuotaReached when the tenant has as many as it may have. */
  requireRecord(tenantId: number): void;
  /** Stores what was counted last. */
  close(): Promise<void>;
}

export interface TenantQuotasDeps {
  database: Pick<Database, 'read'>;
  /** Where a tenant has none of its own; 0 = no limit. */
  defaults: QuotaLimits;
  tenantOf(storyId: number): Promise<number | undefined>;
  logger: Logger;
  /** How often it stores and reads; some seconds unless given. */
  everyMs?: number;
}

export function createTenantQuotas(deps: TenantQuotasDeps): TenantQuotas {
  const { everyMs = EVERY_MS } = deps;
  const tally = createUsageTally();
  const standings = new LRUCache<number, Standing>({ max: MAX_TENANTS });
  const wanted = new Set<number>();
  const wantedRecords = new Set<number>();
  const turns = createQuotaTurns({ ...deps, everyMs, tally, standings, wanted, wantedRecords });

  /** What is known of the tenant; where that is old, it is asked for. */
  const standingNow = (tenantId: number): Standing | undefined => {
    const known = standings.get(tenantId);
    const isFresh = known !== undefined && performance.now() - known.readAt < everyMs;
    if (!isFresh && wanted.size < MAX_TENANTS) {
      wanted.add(tenantId);
      turns.soon(SOON_MS);
    }
    return known;
  };

  const firstUsedUp = (tenantId: number, quotas: readonly DailyQuota[]): UsedUp | undefined => {
    const standing = standingNow(tenantId);
    const inMs = (standing?.resetsAtMs ?? 0) - performance.now();
    // What is known is of yesterday: today begins with nothing used.
    if (standing === undefined || inMs <= 0) return undefined;
    const usage = sumOfUsage(standing.usage, tally.of(tenantId));
    const isUsedUp = (quota: DailyQuota) =>
      standing.limits[quota] > 0 && usedOf(quota, usage) >= standing.limits[quota];
    const quota = quotas.find(isUsedUp);
    if (quota === undefined) return undefined;
    const reset = { at: standing.resetsAt, inMs };
    return { quota, used: usedOf(quota, usage), limit: standing.limits[quota], reset };
  };

  return {
    add(tenantId, usage) {
      tally.add(tenantId, usage);
      turns.soon(everyMs);
    },
    addOfStory(storyId, usage) {
      tally.addOfStory(storyId, usage);
      turns.soon(everyMs);
    },
    arrivalRefusal: (tenantId) => firstUsedUp(tenantId, ARRIVAL_QUOTAS),
    requireArrival: (tenantId) => refuse(firstUsedUp(tenantId, ARRIVAL_QUOTAS)),
    requireMail: (tenantId) => refuse(firstUsedUp(tenantId, MAIL_QUOTAS)),
    requireRecord(tenantId) {
      const standing = standingNow(tenantId);
      if (wanted.has(tenantId)) wantedRecords.add(tenantId);
      if (standing?.records === undefined) return;
      const { records: used, limits } = standing;
      if (limits.records > 0 && used >= limits.records) {
        throw new QuotaReached({ quota: 'records', used, limit: limits.records });
      }
      standing.records = used + 1;
    },
    close: () => turns.close(),
  };
}

function refuse(usedUp: UsedUp | undefined): void {
  if (usedUp !== undefined) throw new QuotaReached(usedUp);
}

/** Counts nothing and refuses nobody: for trials, and where the server is not asked. */
export const NO_QUOTAS: TenantQuotas = {
  add: () => undefined,
  addOfStory: () => undefined,
  arrivalRefusal: () => undefined,
  requireArrival: () => undefined,
  requireMail: () => undefined,
  requireRecord: () => undefined,
  close: () => Promise.resolve(),
};
