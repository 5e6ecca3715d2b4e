import { type CronTimes, DAY_MS, parseCron } from './cron-times.js';
import type { Schedule } from './parse-schedule.js';
import { offsetMs } from './time-zone.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const HOURS_A_DAY = 24;
/** The 29th of February can be eight years away. */
const MAX_DAYS = 9 * 366;

/**
 * The first time of the schedule strictly after `after`; undefined when there is none within nine years. Where clocks
 * are put forward, a time that is left out comes that much later; where they are put back, a time that comes twice
 * counts once, when it comes first. A schedule of all hours just goes on with the clock.
 * @throws CronError, RangeError for a schedule that `parseSchedule` does not give.
 */
export function nextTime({ cron, timezone }: Schedule, after: Date): Date | undefined {
  const times = parseCron(cron);
  const afterMs = after.getTime();
  const [before, later] = offsetsAround(timezone, afterMs);
  // Near a change of the clocks, a time that the wall has shown already can still be to come.
  const from = afterMs + offsetMs(timezone, afterMs) - Math.abs(later - before);
  let next = Infinity;
  for (const wall of wallTimes(times, from)) {
    const offsets = offsetsAround(timezone, wall);
    if (wall - Math.max(...offsets) >= next) break;
    const shown = momentsOf(wall, timezone, offsets);
    const moments = times.hours.length === HOURS_A_DAY ? shown : [shown[0] ?? wall - offsets[0]];
    next = Math.min(next, ...moments.filter((moment) => moment > afterMs));
  }
  return Number.isFinite(next) ? new Date(next) : undefined;
}

/** What a clock on the wall shows at the times of the schedule after `from`, in ms as a clock in UTC would show it. */
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

type Offsets = [before: number, later: number];

/** The zone's offsets a day before and a day after: two, where the clocks are changed in between. */
function offsetsAround(timezone: string, atMs: number): Offsets {
  return [offsetMs(timezone, atMs - DAY_MS), offsetMs(timezone, atMs + DAY_MS)];
}

/** When the wall shows this, earliest first: once, twice, or never. */
function momentsOf(wall: number, timezone: string, offsets: Offsets): number[] {
  return [...new Set(offsets)]
    .filter((offset) => offsetMs(timezone, wall - offset) === offset)
    .map((offset) => wall - offset)
    .toSorted((a, b) => a - b);
}
