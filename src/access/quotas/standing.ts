import { type DayUsage, QUOTA_NAMES, type QuotaLimits } from './quota.js';
import type { StoredStanding } from './quota-store.js';

/** What a process knows of a tenant's quotas. */
export interface Standing {
  limits: QuotaLimits;
  /** Of today, by all processes; what this one has stored since is in it. */
  usage: DayUsage;
  /** How many records there are; undefined where nobody asked. */
  records: number | undefined;
  /** When the daily quotas begin anew, as text and by the clock of `performance.now()`. */
  resetsAt: string;
  resetsAtMs: number;
  /** When it was read, by the same clock. */
  readAt: number;
}

/** The tenant's own limits, and the defaults where it has none. */
export function limitsOf(
  own: Partial<StoredStanding['limits']> | undefined,
  defaults: QuotaLimits,
): QuotaLimits {
  const entries = QUOTA_NAMES.map((name) => [name, own?.[name] ?? defaults[name]] as const);
  return Object.fromEntries(entries) as unknown as QuotaLimits;
}

/** What was just read, as this process keeps it. */
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
