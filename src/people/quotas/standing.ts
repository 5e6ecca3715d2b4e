import { type DayUsage, QUOTA_NAMES, type QuotaLimits } from './quota.js';
import type { StoredStanding } from './quota-store.js';

/** A tenant's quotas and use, as this process knows them. */
export interface Standing {
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
  own: Partial<StoredStanding['limits']> | undefined,
  defaults: QuotaLimits,
): QuotaLimits {
  const entries = QUOTA_NAMES.map((name) => [name, own?.[name] ?? defaults[name]] as const);
  return Object.fromEntries(entries) as unknown as QuotaLimits;
}

/** Converts a standing that was just read. */
export function standingOf(stored: StoredStanding, defaults: QuotaLimits, records?: number): Standing {
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
