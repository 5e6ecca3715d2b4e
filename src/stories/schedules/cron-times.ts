import { CronExpressionParser } from 'cron-parser';
import { LRUCache } from 'lru-cache';
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
/** In the order of an expression, with the characters that each may have. */
const FIELDS = [
  ['minute', NUMBERS],
  ['hour', NUMBERS],
  ['dayOfMonth', NUMBERS],
  ['month', NAMES],
  ['dayOfWeek', NAMES],
] as const;
/** Parsing an item is slow, and there are few different ones. */
const knownItems = new LRUCache<string, Field>({ max: 500 });

type FieldName = (typeof FIELDS)[number][0];

const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const WEEKDAY_RANGE = /^(\w+)-(\w+)((?:\/\d+)?)$/;

/** Between two leap years every day of a month occurs. */
const LEAP_CYCLE_DAYS = 4 * 365 + 1;
const LEAP_CYCLE_START = Date.UTC(2024, 0, 1);

/**
 * Parses an expression of five fields: minute, hour, day of month, month, day of week. If both kinds of day are
 * restricted, either is enough. @throws CronError
 */
export function parseCron(text: string): CronTimes {
  const texts = text.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) {
    throw new CronError('must have five fields: minute, hour, day of month, month, day of week');
  }
  if (text.length > MAX_CHARS) throw new CronError(`can have at most ${MAX_CHARS} characters`);
  const odd = texts.find((field, index) => FIELDS[index]?.[1].test(field) !== true);
  if (odd !== undefined) {
    throw new CronError(
      `can only contain numbers, names of months and days, and * , - /, but contains "${odd}"`,
    );
  }
  const times = timesOf(FIELDS.map(([name], index) => readField(name, texts[index] ?? '')));
  if (!hasDays(times)) throw new CronError('matches no day of any year');
  return times;
}

/** The values of a field, ascending; a wildcard restricts nothing. */
interface Field {
  values: readonly number[];
  isWildcard: boolean;
}

/** Values may occur several times in the list of a field (`0,7` is Sunday twice), which the library refuses. */
function readField(name: FieldName, text: string): Field {
  const items = [...new Set(text.split(','))].map((item) => readItem(name, item));
  const values = new Set(items.flatMap((item) => item.values));
  return {
    values: [...values].toSorted((a, b) => a - b),
    isWildcard: items.some(({ isWildcard }) => isWildcard),
  };
}

function readItem(name: FieldName, item: string): Field {
  const key = `${name} ${item}`;
  const field = knownItems.get(key) ?? parseItem(name, item);
  knownItems.set(key, field);
  return field;
}

function parseItem(name: FieldName, item: string): Field {
  if (/-.*-|,|^$/.test(item))
    throw new CronError(`is not a cron expression ("${item}" is not a value or range)`);
  const text = FIELDS.map(([other]) => (other === name ? item : '*')).join(' ');
  if (name === 'dayOfWeek') {
    const days = daysOverSunday(item);
    if (days !== undefined) return { values: days, isWildcard: false };
  }
  const { values, isWildcard } = parseExpression(text)[name];
  // Sunday is 0 and 7.
  const numbers = values.map((value) => (name === 'dayOfWeek' ? Number(value) % 7 : Number(value)));
  return { values: numbers, isWildcard };
}

/** Returns the days of a range that ends on or after a Sunday: `SAT-SUN`, `FRI-MON`. Undefined: another item. */
function daysOverSunday(item: string): number[] | undefined {
  const [, from = '', to = '', step = ''] = WEEKDAY_RANGE.exec(item) ?? [];
  const [first, last] = [numberOfDay(from), numberOfDay(to)];
  if (first === undefined || last === undefined || first <= last) return undefined;
  const width = Number(step.slice(1) || 1);
  if (width === 0) return undefined;
  const days = Array.from({ length: last + 7 - first + 1 }, (_, index) => (first + index) % 7);
  return days.filter((_, index) => index % width === 0);
}

function numberOfDay(text: string): number | undefined {
  const index = /^[0-6]$/.test(text) ? Number(text) : WEEKDAYS.indexOf(text.toUpperCase());
  return index === -1 ? undefined : index;
}

type ParsedFields = ReturnType<typeof CronExpressionParser.parse>['fields'];

function parseExpression(text: string): ParsedFields {
  try {
    return CronExpressionParser.parse(text, { tz: 'UTC' }).fields;
  } catch (error) {
    throw new CronError(`is not a cron expression (${messageOf(error)})`, { cause: error });
  }
}

function timesOf([minute, hour, dayOfMonth, month, dayOfWeek]: Field[]): CronTimes {
  const months = new Set(month?.values);
  const daysOfMonth = new Set(dayOfMonth?.values);
  const daysOfWeek = new Set(dayOfWeek?.values);
  const either = dayOfMonth?.isWildcard === false && dayOfWeek?.isWildcard === false;
  return {
    minutes: minute?.values ?? [],
    hours: hour?.values ?? [],
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
