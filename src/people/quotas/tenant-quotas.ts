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
import { createQuotaRefresh } from './quota-refresh.js';
import type { QuotaState } from './quota-state.js';
import { createUsageTally } from './usage-tally.js';

/** Interval at which this process stores its use and reads the use of all processes. */
const EVERY_MS = 3_000;
/** Delay before the quota state of a tenant is read, if it is unknown or outdated. */
const SOON_MS = 50;
const MAX_TENANTS = 10_000;
const MAIL_QUOTAS: readonly DailyQuota[] = ['mails_per_day'];

/** Counts the use of tenants and checks their quotas. All functions except `close` return without I/O (decision 0032). */
export interface TenantQuotas {
  /** Adds to the tenant's use of today. Makes no query: sums are stored every few seconds. */
  add(tenantId: number, usage: Partial<DayUsage>): void;
  /** Like `add`, if only the story is known. */
  addOfStory(storyId: number, usage: Partial<DayUsage>): void;
  /** Returns the first used-up quota of those for new runs; may be some seconds behind. */
  arrivalRefusal(tenantId: number): UsedUp | undefined;
  /** @throws QuotaReached if the tenant may begin no more runs today. */
  requireArrival(tenantId: number): void;
  /** @throws QuotaReached if the tenant may send no more mails today. */
  requireMail(tenantId: number): void;
  /** Counts one more record. @throws QuotaReached if the tenant already has the maximum. */
  requireRecord(tenantId: number): void;
  /** Stores the last counts. */
  close(): Promise<void>;
}

export interface TenantQuotasDeps {
  database: Pick<Database, 'read'>;
  /** Limits of tenants without their own; 0 = no limit. */
  defaults: QuotaLimits;
  tenantOf(storyId: number): Promise<number | undefined>;
  logger: Logger;
  /** Interval of stores and reads. Default: 3 s. */
  everyMs?: number;
}

export function createTenantQuotas(deps: TenantQuotasDeps): TenantQuotas {
  const { everyMs = EVERY_MS } = deps;
  const tally = createUsageTally();
  const states = new LRUCache<number, QuotaState>({ max: MAX_TENANTS });
  const wanted = new Set<number>();
  const wantedRecords = new Set<number>();
  const refresh = createQuotaRefresh({ ...deps, everyMs, tally, states, wanted, wantedRecords });

  /** Returns the known quota state of the tenant; schedules a read if it is missing or outdated. */
  const currentState = (tenantId: number): QuotaState | undefined => {
    const known = states.get(tenantId);
    const isFresh = known !== undefined && performance.now() - known.readAt < everyMs;
    if (!isFresh && wanted.size < MAX_TENANTS) {
      wanted.add(tenantId);
      refresh.soon(SOON_MS);
    }
    return known;
  };

  const firstUsedUp = (tenantId: number, quotas: readonly DailyQuota[]): UsedUp | undefined => {
    const state = currentState(tenantId);
    const inMs = (state?.resetsAtMs ?? 0) - performance.now();
    // The known state is from yesterday: today's use starts at zero.
    if (state === undefined || inMs <= 0) return undefined;
    const usage = sumOfUsage(state.usage, tally.of(tenantId));
    const isUsedUp = (quota: DailyQuota) =>
      state.limits[quota] > 0 && usedOf(quota, usage) >= state.limits[quota];
    const quota = quotas.find(isUsedUp);
    if (quota === undefined) return undefined;
    const reset = { at: state.resetsAt, inMs };
    return { quota, used: usedOf(quota, usage), limit: state.limits[quota], reset };
  };

  return {
    add(tenantId, usage) {
      tally.add(tenantId, usage);
      refresh.soon(everyMs);
    },
    addOfStory(storyId, usage) {
      tally.addOfStory(storyId, usage);
      refresh.soon(everyMs);
    },
    arrivalRefusal: (tenantId) => firstUsedUp(tenantId, ARRIVAL_QUOTAS),
    requireArrival: (tenantId) => refuse(firstUsedUp(tenantId, ARRIVAL_QUOTAS)),
    requireMail: (tenantId) => refuse(firstUsedUp(tenantId, MAIL_QUOTAS)),
    requireRecord(tenantId) {
      const state = currentState(tenantId);
      if (wanted.has(tenantId)) wantedRecords.add(tenantId);
      if (state?.records === undefined) return;
      const { records: used, limits } = state;
      if (limits.records > 0 && used >= limits.records) {
        throw new QuotaReached({ quota: 'records', used, limit: limits.records });
      }
      state.records = used + 1;
    },
    close: () => refresh.close(),
  };
}

function refuse(usedUp: UsedUp | undefined): void {
  if (usedUp !== undefined) throw new QuotaReached(usedUp);
}

/** Counts nothing and refuses nothing: for dry runs, and for code without quotas. */
export const NO_QUOTAS: TenantQuotas = {
  add: () => undefined,
  addOfStory: () => undefined,
  arrivalRefusal: () => undefined,
  requireArrival: () => undefined,
  requireMail: () => undefined,
  requireRecord: () => undefined,
  close: () => Promise.resolve(),
};
