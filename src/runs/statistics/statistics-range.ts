import { type Problem, Unprocessable } from '../../platform/errors.js';
import type { Window } from '../../platform/mysql/page-query.js';
import type { StatisticsQuery, TimeRange } from './statistics.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_DAYS = 31;

/** Returns the length of a group of times, in ms: a day, or an hour. */
export function stepOf({ by }: Pick<StatisticsQuery, 'by'>): number {
  return by === 'day' ? DAY_MS : HOUR_MS;
}

/**
 * Returns the whole hours or days that hold the range. Default: until now, from a day before; for days from a week before.
 * @throws Unprocessable if it is empty or longer than 31 days.
 */
export function rangeOf(query: Pick<StatisticsQuery, 'by' | 'from' | 'to'>, now: Date): TimeRange {
  const step = stepOf(query);
  const end = (query.to ?? now).getTime();
  const start = query.from?.getTime() ?? end - (query.by === 'day' ? 7 : 1) * DAY_MS;
  const problems: Problem[] = [];
  if (start >= end) problems.push({ message: 'from must be before to', details: 'from' });
  if (end - start > MOST_DAYS * DAY_MS) {
    problems.push({ message: `from may be at most ${MOST_DAYS} days before to`, details: 'from' });
  }
  if (problems.length > 0) throw new Unprocessable(problems);
  return { from: new Date(Math.floor(start / step) * step), to: new Date(Math.ceil(end / step) * step) };
}

/** Returns the hours or days of a page, newest first, and the number of all. */
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
