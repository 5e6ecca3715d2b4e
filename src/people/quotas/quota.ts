import type { Config } from '../../config/face.js';
import { AppError } from '../../platform/errors.js';

/** Limits of a tenant, by the names used in the API and in columns; 0 = no limit (decision 0032). */
export type QuotaLimits = Config['quotas'];
export type QuotaName = keyof QuotaLimits;

/** Quotas that reset each day, UTC. */
export const DAILY_QUOTAS = [
  'events_per_day',
  'bytes_per_day',
  'mails_per_day',
  'processor_seconds_per_day',
] as const satisfies QuotaName[];
export type DailyQuota = (typeof DAILY_QUOTAS)[number];

/** Quotas of stored objects. */
export const STOCK_QUOTAS = ['stories', 'records', 'schedules'] as const satisfies QuotaName[];

export const QUOTA_NAMES: readonly QuotaName[] = [...DAILY_QUOTAS, ...STOCK_QUOTAS];

/** Quotas that are checked before a run begins. */
export const ARRIVAL_QUOTAS = [
  'events_per_day',
  'bytes_per_day',
  'processor_seconds_per_day',
] as const satisfies DailyQuota[];

/** Use of a tenant on one day. `cpuMs` is processor time. */
export interface DayUsage {
  events: number;
  bytes: number;
  mails: number;
  cpuMs: number;
}

export const NOTHING_USED: DayUsage = { events: 0, bytes: 0, mails: 0, cpuMs: 0 };

export function sumOfUsage(one: DayUsage, other: Partial<DayUsage>): DayUsage {
  return {
    events: one.events + (other.events ?? 0),
    bytes: one.bytes + (other.bytes ?? 0),
    mails: one.mails + (other.mails ?? 0),
    cpuMs: one.cpuMs + (other.cpuMs ?? 0),
  };
}

const USED: Record<DailyQuota, (usage: DayUsage) => number> = {
  events_per_day: ({ events }) => events,
  bytes_per_day: ({ bytes }) => bytes,
  mails_per_day: ({ mails }) => mails,
  processor_seconds_per_day: ({ cpuMs }) => Math.floor(cpuMs / 1000),
};

/** Returns the use of a daily quota, in the quota's unit. */
export function usedOf(quota: DailyQuota, usage: DayUsage): number {
  return USED[quota](usage);
}

/** A quota that is used up. */
export interface UsedUp {
  quota: QuotaName;
  used: number;
  limit: number;
  /** Time when a daily quota resets: as `YYYY-MM-DDTHH:MM:SSZ`, and in ms from now. */
  reset?: { at: string; inMs: number };
}

/** 429: a quota of the tenant is used up. Nothing was accepted. */
export class QuotaReached extends AppError {
  readonly usedUp: UsedUp;

  constructor(usedUp: UsedUp) {
    const { reset } = usedUp;
    super(429, usedUpMessage(usedUp), {
      headers:
        reset === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(reset.inMs / 1000))) },
    });
    this.usedUp = usedUp;
  }
}

function usedUpMessage({ quota, used, limit, reset }: UsedUp): string {
  const until = reset === undefined ? 'delete some first' : `it resets at ${reset.at}`;
  return `The tenant quota ${quota} is used up: ${used} of ${limit}; ${until}`;
}
