import { type RunFilters, SPANS } from '../run-query.js';

/** A part of time, in milliseconds; `to` is no part of it. */
export interface TimeRange {
  from: number;
  to: number;
}

/** The bars of a histogram: a part of time, and what each is. */
export interface Buckets extends TimeRange {
  by: 'minute' | 'hour' | 'day';
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Sums of minutes are kept for six hours, and asked for of three; the clocks may differ. */
const MINUTES_KEPT = 6 * HOUR - 5 * MINUTE;
const MOST_MINUTES = 3 * HOUR;
const MOST_HOURS = 7 * DAY;
const MOST_DAYS = 31 * DAY;
const NIGHT = { from: 22, to: 6 };

/** The range of filters, as the address names it. */
export type RangeFilters = Pick<RunFilters, 'span' | 'since' | 'until'>;

/** Returns the range of filters; undefined: any time, or one that ends before it begins. */
export function rangeIn({ span, since, until }: RangeFilters, now: number): TimeRange | undefined {
  if (since !== '' || until !== '') {
    const to = until === '' ? now : Date.parse(until);
    const from = since === '' ? to - MOST_DAYS : Date.parse(since);
    return from < to ? { from, to } : undefined;
  }
  const hours = SPANS[span];
  return hours === undefined ? undefined : { from: now - hours * HOUR, to: now };
}

/** Returns the filters that name a range. */
export const filtersOf = ({ from, to }: TimeRange): RangeFilters => ({
  span: '',
  since: isoOf(from),
  until: isoOf(to),
});

/** Returns the night that ended this morning, or has not ended: from 22:00 to 06:00 of the viewer's clock. */
export function lastNight(now: number): TimeRange {
  const today = new Date(now);
  const at = (days: number, hour: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hour).getTime();
  return { from: at(-1, NIGHT.from), to: at(0, NIGHT.to) };
}

/** Returns whether the filters name last night. */
export function isLastNight({ since, until }: RangeFilters, now: number): boolean {
  const night = filtersOf(lastNight(now));
  return since === night.since && until === night.until;
}

/**
 * Returns the bars around a range: minutes for hours of today, hours for days, days for what is longer. A short range has
 * more around it, so that it can be moved. Without a range: the last seven days.
 */
export function bucketsFor(range: TimeRange | undefined, now: number): Buckets {
  const { from, to } = range ?? { from: now - MOST_HOURS, to: now };
  const length = to - from;
  if (length <= MOST_MINUTES && from >= now - MINUTES_KEPT) {
    const shown = widened({ from, to }, HOUR, now);
    return whole({ ...shown, from: Math.max(shown.from, now - MINUTES_KEPT) }, 'minute', MINUTE);
  }
  if (length <= MOST_HOURS) return whole(widened({ from, to }, DAY, now), 'hour', HOUR);
  const end = Math.min(to, now);
  return whole({ from: Math.max(from, end - MOST_DAYS + DAY), to: end }, 'day', DAY);
}

/** Returns the range with as much before as behind it, until it is long enough or now is reached. */
function widened({ from, to }: TimeRange, least: number, now: number): TimeRange {
  const room = Math.max(0, least - (to - from));
  const end = Math.min(now, to + room / 2);
  return { from: Math.min(from, end - least), to: end };
}

function whole({ from, to }: TimeRange, by: Buckets['by'], step: number): Buckets {
  return { by, from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
}

const isoOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
