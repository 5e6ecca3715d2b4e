import { momentsShowing, offsetMs, offsetsAround } from '../../platform/time/time-zone.js';
import { type CronTimes, DAY_MS, parseCron } from './cron-times.js';
import type { Schedule } from './parse-schedule.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const HOURS_A_DAY = 24;
/** The next 29th of February can be eight years away. */
const MAX_DAYS = 9 * 366;

/**
 * Returns the first time of the schedule strictly after `after`; undefined if there is none within nine years. If a
 * clock change skips a time, it occurs later by the skipped duration. If a clock change repeats a time, only the first
 * occurrence counts. A schedule of all hours has no such exceptions.
 * @throws CronError, RangeError for a schedule that `parseSchedule` does not return.
 */
export function nextTime({ cron, timezone }: Schedule, after: Date): Date | undefined {
  const times = parseCron(cron);
  const afterMs = after.getTime();
  const [before, later] = offsetsAround(timezone, afterMs);
  // Near a clock change, a local time before the current one can still be in the future.
  const from = afterMs + offsetMs(timezone, afterMs) - Math.abs(later - before);
  let next = Infinity;
  for (const wall of wallTimes(times, from)) {
    const offsets = offsetsAround(timezone, wall);
    if (wall - Math.max(...offsets) >= next) break;
    const shown = momentsShowing(timezone, wall, offsets);
    const moments = times.hours.length === HOURS_A_DAY ? shown : [shown[0] ?? wall - offsets[0]];
    next = Math.min(next, ...moments.filter((moment) => moment > afterMs));
  }
  return Number.isFinite(next) ? new Date(next) : undefined;
}

/** Yields the schedule's local times after `from`, encoded as if they were UTC, in ms. */
function* wallTimes(times: CronTimes, from: number): Generator<number> {
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = 0; day < MAX_DAYS; day++) {
    const start = firstDay + day * DAY_MS;
    if (!times.isOn(start)) continue;
    for (const hour of times.hours) {
      for (const minute of times.minutes) {
        const wall = start + hour * HOUR_MS + minute * MINUTE_MS;
        if (wall > from) yield wall;
      }
    }
  }
}
