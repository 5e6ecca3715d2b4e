import { CronExpressionParser } from 'cron-parser';
import { messageOf } from '../../platform/errors.js';

/** The times of a cron expression in local time. */
export interface CronTimes {
  /** Ascending. */
  minutes: readonly number[];
  /** Ascending. */
  hours: readonly number[];
  /** Whether the expression has times on this day. `wallMs` is any local time of the day, encoded as if it were UTC, in ms. */
  isOn(wallMs: number): boolean;
}

/** The text is not a cron expression, or it has no times; the message gives the fault. */
export class CronError extends Error {}

export const DAY_MS = 24 * 60 * 60 * 1000;

const MAX_CHARS = 255;
/** Without `L`, `#` and `H`, whose meaning differs between systems; months and days may have names. */
const NUMBERS = /^[\d*?,\-/]+$/;
const NAMES = /^(?:[\d*?,\-/]|[a-z]{3})+$/i;
const FORMS = [NUMBERS, NUMBERS, NUMBERS, NAMES, NAMES];

/** Between two leap years every day of a month occurs. */
const LEAP_CYCLE_DAYS = 4 * 365 + 1;
const LEAP_CYCLE_START = Date.UTC(2024, 0, 1);

/**
 * Parses an expression of five fields: minute, hour, day of month, month, day of week. If both kinds of day are
 * restricted, either is enough. @throws CronError
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
