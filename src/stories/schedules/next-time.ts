import { momentsShowing, offsetMs, type Offsets, offsetsAround } from '../../platform/time/time-zone.js';
import { type CronTimes, DAY_MS, parseCron } from './cron-times.js';
import type { Schedule } from './parse-schedule.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const HOURS_A_DAY = 24;
/** The next 29th of February can be eight years away. */
const MAX_DAYS = 9 * 366;
/** A clock change moves a time by less than three hours, so it stands at most this many times away from its place. */
const MOST_MOVED = 180;

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
    const moments = momentsOf(times, timezone, wall, offsets);
    next = Math.min(next, ...moments.filter((moment) => moment > afterMs));
  }
  return Number.isFinite(next) ? new Date(next) : undefined;
}

/** The times of a schedule within a span, ascending. */
export interface SpanTimes {
  times: Date[];
  /** False: there are more of them. */
  isComplete: boolean;
}

/**
 * Returns the first `limit` times of the schedule after `after` that are not later than `until`: those that `nextTime`
 * returns one after the other. @throws as `nextTime`
 */
export function timesBetween(
  { cron, timezone }: Schedule,
  { after, until, limit }: { after: Date; until: Date; limit: number },
): SpanTimes {
  const times = parseCron(cron);
  const [afterMs, untilMs] = [after.getTime(), until.getTime()];
  const [before, later] = offsetsAround(timezone, afterMs);
  const from = afterMs + offsetMs(timezone, afterMs) - Math.abs(later - before);
  const to = untilMs + Math.max(...offsetsAround(timezone, untilMs));
  const offsetsAt = offsetsByDay(timezone);
  const found = new Set<number>();
  for (const wall of wallTimes(times, from, to)) {
    const moments = momentsOf(times, timezone, wall, offsetsAt(wall));
    for (const moment of moments) if (moment > afterMs && moment <= untilMs) found.add(moment);
    if (found.size > limit + MOST_MOVED) break;
  }
  const ascending = [...found].toSorted((a, b) => a - b);
  return {
    times: ascending.slice(0, limit).map((moment) => new Date(moment)),
    isComplete: ascending.length <= limit,
  };
}

/** Returns the moments of one local time of the schedule. */
function momentsOf(times: CronTimes, timezone: string, wall: number, offsets: Offsets): number[] {
  // Far from a clock change a local time is one moment: asking the zone for each of thousands would take long.
  if (offsets[0] === offsets[1]) return [wall - offsets[0]];
  const shown = momentsShowing(timezone, wall, offsets);
  return times.hours.length === HOURS_A_DAY ? shown : [shown[0] ?? wall - offsets[0]];
}

/** Returns the function that gives the offsets before and after the day of a local time. */
function offsetsByDay(timezone: string): (wall: number) => Offsets {
  let known: { day: number; offsets: Offsets } | undefined;
  return (wall) => {
    const day = Math.floor(wall / DAY_MS) * DAY_MS;
    if (known?.day !== day) {
      known = { day, offsets: [offsetMs(timezone, day - DAY_MS), offsetMs(timezone, day + 2 * DAY_MS)] };
    }
    return known.offsets;
  };
}

/** Yields the schedule's local times after `from` and up to `to`, encoded as if they were UTC, in ms. */
function* wallTimes(times: CronTimes, from: number, to = Infinity): Generator<number> {
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = 0; day < MAX_DAYS; day++) {
    const start = firstDay + day * DAY_MS;
    if (start > to) return;
    if (!times.isOn(start)) continue;
    for (const hour of times.hours) {
      for (const minute of times.minutes) {
        const wall = start + hour * HOUR_MS + minute * MINUTE_MS;
        if (wall > to) return;
        if (wall > from) yield wall;
      }
    }
  }
}
