import { momentShowing, offsetMs } from '../../../platform/time/time-zone.js';
import { nextTime } from '../../../stories/face.js';
import type { DigestSettings } from './digest-store.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the first time after `after` at which the zone's clocks show the hour. If a clock change skips it, it is later by
 * the skipped duration; if it is repeated, the first counts: there is one digest a day.
 */
export function nextDigestTime(
  { hour, timezone }: Pick<DigestSettings, 'hour' | 'timezone'>,
  after: Date,
): Date {
  const next = nextTime({ cron: `0 ${hour} * * *`, timezone }, after);
  if (next === undefined) throw new Error(`${timezone} has no ${hour} o'clock`);
  return next;
}

/** The day that a digest tells of. */
export interface DigestDay {
  /** `2026-11-25`. */
  name: string;
  /** Its start and end, down to whole hours of UTC: statistics have no others. */
  from: Date;
  to: Date;
}

/** Returns the day before the one of `now`, in the zone. */
export function dayBefore(timezone: string, now: Date): DigestDay {
  const today = Math.floor((now.getTime() + offsetMs(timezone, now.getTime())) / DAY_MS) * DAY_MS;
  const hourOf = (wallMs: number) =>
    new Date(Math.floor(momentShowing(timezone, wallMs) / HOUR_MS) * HOUR_MS);
  return {
    name: new Date(today - DAY_MS).toISOString().slice(0, 10),
    from: hourOf(today - DAY_MS),
    to: hourOf(today),
  };
}
