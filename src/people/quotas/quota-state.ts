import { type DayUsage, QUOTA_NAMES, type QuotaLimits } from './quota.js';
import type { StoredQuotaState } from './quota-store.js';

/** A tenant's quotas and use, as this process knows them. */
export interface QuotaState {
  limits: QuotaLimits;
  /** Use of today by all processes, including what this process has stored since the read. */
  usage: DayUsage;
  /** Number of records; undefined if not counted yet. */
  records: number | undefined;
  /** Time when the daily quotas reset, as text and by the clock of `performance.now()`. */
  resetsAt: string;
  resetsAtMs: number;
  /** Time of the read, by the same clock. */
  readAt: number;
}

/** Returns the tenant's own limits, with defaults for absent ones. */
export function limitsOf(
  own: Partial<StoredQuotaState['limits']> | undefined,
  defaults: QuotaLimits,
): QuotaLimits {
  const entries = QUOTA_NAMES.map((name) => [name, own?.[name] ?? defaults[name]] as const);
  return Object.fromEntries(entries) as unknown as QuotaLimits;
}

/** Returns the quota state of a row that was just read. */
export function quotaStateOf(stored: StoredQuotaState, defaults: QuotaLimits, records?: number): QuotaState {
  const { events, bytes, mails, cpuMs, resetsAt, resetsInMs } = stored;
  const readAt = performance.now();
  return {
    limits: limitsOf(stored.limits, defaults),
    usage: { events, bytes, mails, cpuMs },
    records,
    resetsAt,
    resetsAtMs: readAt + resetsInMs,
    readAt,
  };
}
