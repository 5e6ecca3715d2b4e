const DAY_MS = 86_400_000;

/**
 * Returns the midnight of a day in ms, UTC. Months count from 0, and numbers beyond a month or a year go on into the next. Like
 * `Date.UTC`, but without reading years below 100 as years of the last century.
 */
export function midnightOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** Returns the midnight of a day of a month (from 1); undefined: there is no such day (February 30th). */
export function dayOfMonth(year: number, month: number, day: number): number | undefined {
  const midnight = midnightOf(year, month - 1, day);
  const isSame = month >= 1 && month <= 12 && new Date(midnight).getUTCMonth() === month - 1;
  return isSame && day >= 1 ? midnight : undefined;
}

/** Returns the midnight of a day of the year (from 1); undefined: the year has no such day. */
export function dayOfYear(year: number, number: number): number | undefined {
  const midnight = midnightOf(year, 0, number);
  return number >= 1 && new Date(midnight).getUTCFullYear() === year ? midnight : undefined;
}

/**
 * Returns the midnight of a day of an ISO 8601 week; undefined: the year has no such week. Week 1 has 4 January, a week
 * belongs to the year of its Thursday, and weekday 1 is Monday.
 */
export function dayOfWeek(year: number, week: number, weekday: number): number | undefined {
  const fourth = midnightOf(year, 0, 4);
  const monday = fourth + ((week - 1) * 7 - ((new Date(fourth).getUTCDay() + 6) % 7)) * DAY_MS;
  const isWeek = new Date(monday + 3 * DAY_MS).getUTCFullYear() === year;
  return isWeek && weekday >= 1 && weekday <= 7 ? monday + (weekday - 1) * DAY_MS : undefined;
}
