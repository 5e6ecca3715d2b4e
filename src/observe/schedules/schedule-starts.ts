import { setImmediate as breathe } from 'node:timers/promises';
import { CronError, type Schedule, type SpanTimes, timesBetween } from '../../stories/face.js';

/** The most starts of one schedule in a list. */
export const MOST_STARTS = 100;
/** Schedules between two pauses: the starts of one take less than a millisecond. */
const AT_ONCE = 20;

/** Returns the next starts of each schedule after `after` and up to `until`; undefined for one that has no times. */
export async function startsOfEach(
  schedules: readonly Schedule[],
  span: { after: Date; until: Date },
): Promise<(SpanTimes | undefined)[]> {
  const starts: (SpanTimes | undefined)[] = [];
  for (const schedule of schedules) {
    if (starts.length % AT_ONCE === AT_ONCE - 1) await breathe();
    starts.push(startsOf(schedule, span));
  }
  return starts;
}

/** The time zone of a stored schedule may be unknown to this process: then it starts nothing either. */
function startsOf(schedule: Schedule, span: { after: Date; until: Date }): SpanTimes | undefined {
  try {
    return timesBetween(schedule, { ...span, limit: MOST_STARTS });
  } catch (error) {
    if (error instanceof CronError || error instanceof RangeError) return undefined;
    throw error;
  }
}
