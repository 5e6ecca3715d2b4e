import { type Problem, Unprocessable } from '../../platform/errors.js';
import type { Window } from '../../platform/mysql/statements/page-query.js';
import { MINUTES_KEPT_HOURS } from './count/minute-count-store.js';
import type { Grouping, StatisticsQuery, TimeRange } from './statistics.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The range that a kind of groups may have; times in ms. */
interface Bounds {
  /** The length of a group of times. Ranges are extended to whole ones. */
  step: number;
  /** The length of the range, if none is asked for. */
  usual: number;
  most: number;
  mostWords: string;
}

const BY_HOURS: Bounds = { step: HOUR_MS, usual: DAY_MS, most: 31 * DAY_MS, mostWords: '31 days' };
/** Actions in the order of their work: each page sums all that worked in the range. */
const BY_WORK: Bounds = { ...BY_HOURS, most: DAY_MS, mostWords: 'a day' };
const BOUNDS: Record<Grouping, Bounds> = {
  story: BY_HOURS,
  action: BY_HOURS,
  minute: { step: MINUTE_MS, usual: HOUR_MS, most: 3 * HOUR_MS, mostWords: '3 hours' },
  hour: BY_HOURS,
  day: { ...BY_HOURS, step: DAY_MS, usual: 7 * DAY_MS },
};

/** Returns the length of a group of times, in ms: a day, an hour or a minute. */
export function stepOf({ by }: Pick<StatisticsQuery, 'by'>): number {
  return BOUNDS[by].step;
}

/**
 * Returns the whole minutes, hours or days that hold the range. Default: until now, from a day before; for minutes from
 * an hour before, for days from a week before.
 * @throws Unprocessable if it is empty, too long, or begins with minutes that are no longer kept; for an order of other groups.
 */
export function statisticsRangeOf(
  query: Pick<StatisticsQuery, 'by' | 'order' | 'from' | 'to'>,
  now: Date,
): TimeRange {
  const { step, usual, most, mostWords } = query.order === 'mean_work' ? BY_WORK : BOUNDS[query.by];
  const end = (query.to ?? now).getTime();
  const start = query.from?.getTime() ?? end - usual;
  const from = new Date(Math.floor(start / step) * step);
  const problems: Problem[] = [];
  if (query.order !== 'id' && query.by !== 'action') {
    problems.push({ message: `order=${query.order} needs by=action`, details: 'order' });
  }
  if (start >= end) problems.push({ message: 'from must be before to', details: 'from' });
  if (end - start > most) {
    problems.push({ message: `from may be at most ${mostWords} before to`, details: 'from' });
  }
  if (query.by === 'minute' && from.getTime() < now.getTime() - MINUTES_KEPT_HOURS * HOUR_MS) {
    const message = `from may be at most ${MINUTES_KEPT_HOURS} hours ago: older minutes are not kept`;
    problems.push({ message, details: 'from' });
  }
  if (problems.length > 0) throw new Unprocessable(problems);
  return { from, to: new Date(Math.ceil(end / step) * step) };
}

/** Returns the minutes, hours or days of a page, newest first, and the number of all. */
export function timesOf(
  { from, to }: TimeRange,
  step: number,
  { offset, limit }: Window,
): { times: TimeRange[]; total: number } {
  const total = (to.getTime() - from.getTime()) / step;
  const length = Math.max(0, Math.min(limit, total - offset));
  const times = Array.from({ length }, (_, index) => {
    const end = to.getTime() - (offset + index) * step;
    return { from: new Date(end - step), to: new Date(end) };
  });
  return { times, total };
}
