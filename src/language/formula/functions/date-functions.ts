import { strftime } from '../../dates/strftime.js';
import { compareTimes, wallClock } from '../../dates/zoned-time.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { isNothing, textOf } from '../../values/values.js';
import { numberFrom } from '../evaluation/numbers.js';
import { dateDifference } from './values/date-difference.js';
import type { FunctionBody, FunctionTable } from './formula-function.js';
import { parsedDate } from './values/date-parts.js';
import { findTime, startOfUnit, isoOf, shifted, timeFrom, timeIn, unitFrom } from './values/times.js';

const MAX_FORMAT_CHARACTERS = 1_000;

/** Functions on times: `"now"`, seconds since 1970, ISO 8601, formats of mail headers and words (`2 days ago`). */
export const dateFunctions: FunctionTable = {
  DATE: {
    takes: 'time, format?, timezone?',
    gives:
      'the time in a `strftime` format (default: ISO 8601); values that are not times are unchanged. Times can be in words, such as `2 days ago` or `tomorrow at 10am`, in the time zone',
    example: ['DATE("2024-03-05T10:00:00Z", "%d %b %Y %H:%M", "Europe/Paris")', '05 Mar 2024 11:00'],
    run: ([value, format, zone]) => {
      const zoneName = isNothing(zone) ? '' : textOf(zone);
      const time = findTime(value, zoneName);
      if (time === undefined) return value;
      const shown = zoneName === '' ? time : timeIn(time, zoneName);
      if (isNothing(format) || format === '') return isoOf(shown);
      if (textOf(format).length > MAX_FORMAT_CHARACTERS) throw new TemplateError('the format is too long');
      return strftime(shown, textOf(format));
    },
  },
  DATE_PARSE: {
    takes: 'time, format?, timezone?',
    gives:
      'the parts of a time in the time zone, parsed with a `strptime` format (guessed by default): year, month, day, names, Unix time, offset; an object accepted by DATE and similar functions',
    example: ['DATE_PARSE("01/02/2023", "%d/%m/%Y").iso8601', '2023-02-01T00:00:00+00:00'],
    run: ([time, format, zone]) => parsedDate(time, format, zone),
  },
  NOW: {
    takes: 'timezone?',
    gives: 'the current time in ISO 8601',
    example: ['DATE_DIFF(NOW(), DATE("now"), "hours")', 0],
    run: ([zone]) => isoOf(isNothing(zone) ? timeFrom('now') : timeIn(timeFrom('now'), textOf(zone))),
  },
  TODAY: {
    takes: 'timezone?',
    gives: 'the current date, `YYYY-MM-DD`',
    example: ['TODAY() = DATE("now", "%Y-%m-%d")', true],
    run: ([zone]) => dayText(0, zone),
  },
  YESTERDAY: {
    takes: 'timezone?',
    gives: 'the date of yesterday',
    example: ['DATE_DIFF(YESTERDAY(), TODAY(), "days")', 1],
    run: ([zone]) => dayText(-1, zone),
  },
  TOMORROW: {
    takes: 'timezone?',
    gives: 'the date of tomorrow',
    example: ['DATE_DIFF(TODAY(), TOMORROW(), "days")', 1],
    run: ([zone]) => dayText(1, zone),
  },
  UNIX_TIMESTAMP: {
    takes: 'time?',
    gives: 'the Unix timestamp in seconds of the time, or of the current time',
    example: ['UNIX_TIMESTAMP("1970-01-02")', 86_400],
    run: ([value]) => Math.floor(timeFrom(value ?? 'now').epochMs / 1_000),
  },
  UNIX_TIMESTAMP_MS: {
    takes: 'time?',
    gives: 'the Unix timestamp in milliseconds',
    example: ['UNIX_TIMESTAMP_MS("1970-01-02")', 86_400_000],
    run: ([value]) => timeFrom(value ?? 'now').epochMs,
  },
  DATE_DIFF: {
    takes: 'from, to, unit?, absolute?',
    gives:
      'the difference of two times: `{seconds, minutes, hours, days, weeks}`, each for the whole difference with two decimals, and `units`, broken down into years, months, weeks, days, hours, minutes and seconds. With a unit (also `"months"`, `"years"`), the whole number of units. With `absolute: FALSE`, negative if the second time is earlier',
    example: ['DATE_DIFF("2024-01-01", "2024-03-31").days', 90],
    run: ([from, to, unit, absolute]) => {
      const isFlag = typeof unit === 'boolean';
      const isAbsolute = (isFlag ? unit : absolute) !== false;
      return dateDifference(timeFrom(from), timeFrom(to), isFlag ? null : unit, isAbsolute);
    },
  },
  DATE_ADD: {
    takes: 'time, amount, unit',
    gives: 'the time plus a number of seconds, minutes, hours, days, weeks, months or years',
    example: ['DATE_ADD("2024-01-31", 1, "month")', '2024-02-29T00:00:00Z'],
    run: ([time, amount, unit]) => isoOf(shifted(timeFrom(time), numberFrom(amount), unitFrom(unit))),
  },
  DATE_SUBTRACT: {
    takes: 'time, amount, unit',
    gives: 'the time minus the amount',
    example: ['DATE_SUBTRACT("2024-01-01T12:00:00Z", 90, "minutes")', '2024-01-01T10:30:00Z'],
    run: ([time, amount, unit]) => isoOf(shifted(timeFrom(time), -numberFrom(amount), unitFrom(unit))),
  },
  START_OF: {
    takes: 'time, unit',
    gives: 'the first moment of its hour, day, week (from Monday), month or year',
    example: ['START_OF("2024-05-16T10:30:00Z", "week")', '2024-05-13T00:00:00Z'],
    run: ([time, unit]) => isoOf(startOfUnit(timeFrom(time), unitFrom(unit))),
  },
  END_OF: {
    takes: 'time, unit',
    gives: 'the last second of its hour, day, week (to Sunday), month or year',
    example: ['END_OF("2024-02-10", "month")', '2024-02-29T23:59:59Z'],
    run: ([time, given]) => {
      const unit = unitFrom(given);
      return isoOf(shifted(shifted(startOfUnit(timeFrom(time), unit), 1, unit), -1, 'second'));
    },
  },
  IN_ZONE: {
    takes: 'time, timezone',
    gives: 'the time in ISO 8601, converted to the time zone',
    example: ['IN_ZONE("2024-01-01T12:00:00Z", "+02:00")', '2024-01-01T14:00:00+02:00'],
    run: ([time, zone]) => isoOf(timeIn(timeFrom(time), textOf(zone))),
  },
  YEAR: {
    takes: 'time',
    gives: 'the year',
    example: ['YEAR("2024-03-05")', 2024],
    run: field((clock) => clock.getUTCFullYear()),
  },
  MONTH: {
    takes: 'time',
    gives: 'the month, from 1',
    example: ['MONTH("2024-03-05")', 3],
    run: field((clock) => clock.getUTCMonth() + 1),
  },
  DAY: {
    takes: 'time',
    gives: 'the day of the month',
    example: ['DAY("2024-03-05")', 5],
    run: field((clock) => clock.getUTCDate()),
  },
  HOUR: {
    takes: 'time',
    gives: 'the hour, from 0',
    example: ['HOUR("2024-03-05T10:20:30Z")', 10],
    run: field((clock) => clock.getUTCHours()),
  },
  MINUTE: {
    takes: 'time',
    gives: 'the minute',
    example: ['MINUTE("2024-03-05T10:20:30Z")', 20],
    run: field((clock) => clock.getUTCMinutes()),
  },
  SECOND: {
    takes: 'time',
    gives: 'the second',
    example: ['SECOND("2024-03-05T10:20:30Z")', 30],
    run: field((clock) => clock.getUTCSeconds()),
  },
  WEEKDAY: {
    takes: 'time',
    gives: 'the day of the week: 1 is Monday, 7 is Sunday',
    example: ['WEEKDAY("2024-03-05")', 2],
    run: field((clock) => clock.getUTCDay() || 7),
  },
  IS_DATE: {
    takes: 'value',
    gives: 'TRUE for values that can be parsed as a time, including words such as `yesterday`',
    example: ['IS_DATE("2024-02-30")', false],
    run: ([value]) => findTime(value) !== undefined,
  },
  IS_BEFORE: {
    takes: 'time, other',
    gives: 'TRUE if the first time is earlier',
    example: ['IS_BEFORE("2024-01-01", "2024-01-02")', true],
    run: ([time, other]) => compareTimes(timeFrom(time), timeFrom(other)) < 0,
  },
  IS_AFTER: {
    takes: 'time, other',
    gives: 'TRUE if the first time is later',
    example: ['IS_AFTER("2024-01-01", "2024-01-02")', false],
    run: ([time, other]) => compareTimes(timeFrom(time), timeFrom(other)) > 0,
  },
};

function field(read: (clock: Date) => number): FunctionBody {
  return ([time]) => read(wallClock(timeFrom(time)));
}

function dayText(daysFromToday: number, zone: unknown): string {
  const now = isNothing(zone) ? timeFrom('now') : timeIn(timeFrom('now'), textOf(zone));
  return strftime(shifted(now, daysFromToday, 'day'), '%Y-%m-%d');
}
