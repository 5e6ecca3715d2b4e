import { CronExpressionParser } from 'cron-parser';
import { messageOf } from '../../platform/errors.js';

/** The times of a cron expression, as a clock on the wall shows them. */
export interface CronTimes {
  /** Ascending. */
  minutes: readonly number[];
  /** Ascending. */
  hours: readonly number[];
  /** Whether it has times on this day; any time of the day, in ms, as a clock in UTC would show it. */
  isOn(wallMs: number): boolean;
}

/** A text that is no cron expression, or one without any time; the message says what is wrong. */
export class CronError extends Error {}

export const DAY_MS = 24 * 60 * 60 * 1000;

const MAX_CHARS = 255;
/** Without `L`, `#` and `H`, which mean something else on every system; months and days may be named. */
const NUMBERS = /^[\d*?,\-/]+$/;
const NAMES = /^(?:[\d*?,\-/]|[a-z]{3})+$/i;
const FORMS = [NUMBERS, NUMBERS, NUMBERS, NAMES, NAMES];

/** From one leap year to the next every day of a month comes up. */
const LEAP_CYCLE_DAYS = 4 * 365 + 1;
const LEAP_CYCLE_START = Date.UTC(2024, 0, 1);

/**
 * The times of an expression of five fields: minute, hour, day of month, month, day of week. Where both kinds of day are
 * given, either is enough. @throws CronError
 */
export function parseCron(text: string): CronTimes {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== FORMS.length) {
    throw new CronError('must have five fields: minute, hour, day of month, month, day of week');
  }
  if (text.length > MAX_CHARS) throw new CronError(`may have ${MAX_CHARS} characters at most`);
  const odd = fields.find((field, index) => FORMS[index]?.test(field) !== true);
  if (odd !== undefined) {
    throw new CronError(`may hold numbers, names of months and days, and * , - / but has "${odd}"`);
  }
  const times = timesOf(readFields(fields.join(' ')));
  if (!hasDays(times)) throw new CronError('has no day in any year');
  return times;
}

type Fields = ReturnType<typeof CronExpressionParser.parse>['fields'];

function readFields(text: string): Fields {
  try {
    return CronExpressionParser.parse(text, { tz: 'UTC' }).fields;
  } catch (error) {
    throw new CronError(`is no cron expression (${messageOf(error)})`, { cause: error });
  }
}

function timesOf({ minute, hour, dayOfMonth, month, dayOfWeek }: Fields): CronTimes {
  const months = new Set<number>(month.values);
  const daysOfMonth = new Set(dayOfMonth.values.map(Number));
  // Sunday is 0 and 7.
  const daysOfWeek = new Set(dayOfWeek.values.map((day) => Number(day) % 7));
  const either = !dayOfMonth.isWildcard && !dayOfWeek.isWildcard;
  return {
    minutes: minute.values,
    hours: hour.values,
    isOn(wallMs) {
      const date = new Date(wallMs);
      if (!months.has(date.getUTCMonth() + 1)) return false;
      const inMonth = daysOfMonth.has(date.getUTCDate());
      const inWeek = daysOfWeek.has(date.getUTCDay());
      return either ? inMonth || inWeek : inMonth && inWeek;
    },
  };
}

function hasDays(times: CronTimes): boolean {
  for (let day = 0; day < LEAP_CYCLE_DAYS; day++) {
    if (times.isOn(LEAP_CYCLE_START + day * DAY_MS)) return true;
  }
  return false;
}
