import { CronExpressionParser } from 'cron-parser';
import type { ScheduleEntry } from './schedule-entries.js';

/** As the server reads them: without `L`, `#` and `H`. */
const NUMBERS = /^[\d*?,\-/]+$/;
const NAMES = /^(?:[\d*?,\-/]|[a-z]{3})+$/i;

/**
 * Returns the next starts of a schedule. @throws Error for what is no cron expression, and for an unknown time zone. Where
 * the clock changes, the server decides.
 */
export function nextStarts({ cron, timezone }: ScheduleEntry, count: number, after = new Date()): Date[] {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) {
    throw new Error('A cron expression has five fields: minute, hour, day of month, month, day of week.');
  }
  if (fields.some((field, at) => !(at < 3 ? NUMBERS : NAMES).test(field))) {
    throw new Error('A cron expression has numbers, names of months and days, and * , - / only.');
  }
  const times = CronExpressionParser.parse(cron, { tz: timezone || 'UTC', currentDate: after });
  return Array.from({ length: count }, () => times.next().toDate());
}
