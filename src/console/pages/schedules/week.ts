import type { Schedule } from '../../../../clients/typescript/api.js';

/** A day of the calendar, in the viewer's zone. */
export interface Day {
  /** Midnight, in ms. */
  from: number;
  /** The next midnight. */
  until: number;
}

/** The starts of one schedule on one day. */
export interface DayStarts {
  schedule: Schedule;
  /** Ascending, in UTC. */
  times: string[];
}

/** Starts of a schedule on one day that the calendar shows one by one; more of them are one entry. */
const MOST_ALONE = 3;

/** Returns the seven days of a week; week 0 begins today. A day may have 23 or 25 hours. */
export function daysOf(week: number, now: number): Day[] {
  const today = new Date(now);
  const midnight = (day: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + week * 7 + day).getTime();
  return Array.from({ length: 7 }, (_, day) => ({ from: midnight(day), until: midnight(day + 1) }));
}

/** Returns the entries of a day, the first start first: single starts, or many of one schedule together. */
export function entriesOf(schedules: readonly Schedule[], { from, until }: Day): DayStarts[] {
  // Times are compared as texts, since a calendar of thousands of schedules has a hundred thousand of them.
  const [first, end] = [secondOf(from), secondOf(until)];
  const entries = schedules.flatMap((schedule): DayStarts[] => {
    const times = (schedule.starts ?? []).filter((time) => time >= first && time < end);
    if (times.length > MOST_ALONE) return [{ schedule, times }];
    return times.map((time) => ({ schedule, times: [time] }));
  });
  return entries.toSorted((a, b) => (firstOf(a) < firstOf(b) ? -1 : 1));
}

/** Whether the schedule starts so often that its starts of this week are not all known. */
export function isOften({ starts, starts_complete: isComplete }: Schedule, days: readonly Day[]): boolean {
  if (isComplete || starts === null) return false;
  return Date.parse(starts.at(-1) ?? '') < (days.at(-1)?.until ?? 0);
}

/** Returns how far apart the first starts are, in ms; undefined with fewer than two. */
export function gapOf(starts: readonly string[] | null): number | undefined {
  const [first, second] = (starts ?? []).map((time) => Date.parse(time));
  return first === undefined || second === undefined ? undefined : second - first;
}

const firstOf = ({ times }: DayStarts) => times[0] ?? '';
/** A time in UTC without its zone, so that it comes before each longer text of the same second. */
const secondOf = (ms: number) => new Date(ms).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
