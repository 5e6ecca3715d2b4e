import { nowMs } from '../../platform/runtime/clock-and-random.js';
import { shortened } from '../../platform/text/shortened.js';
import { TemplateError } from '../../platform/text/template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { parseDate } from '../dates/parse-date.js';
import { parseClockOfToday } from '../dates/written-date.js';
import type { ZonedTime } from '../dates/zoned-time.js';
import { strftime } from '../dates/strftime.js';
import { inZone } from '../dates/zoned-time.js';
import { isNothing, textOf } from '../values/values.js';

const MAX_FORMAT_CHARACTERS = 1_000;

/** Filters that format times. A value that is not a time stays unchanged. */
export const dateFilters: FilterTable = {
  date,
  date_to_xmlschema: (value) => formatted(value, '%Y-%m-%dT%H:%M:%S%:z'),
  date_to_rfc822: (value) => formatted(value, '%a, %d %b %Y %H:%M:%S %z'),
  date_to_string: (value, call) => formattedDay(value, '%b', call),
  date_to_long_string: (value, call) => formattedDay(value, '%B', call),
};

const MAX_CLOCK_CHARACTERS = 40;

function timeIn(value: unknown): ZonedTime | undefined {
  const time = parseDate(value, nowMs());
  const mayBeClock = time === undefined && typeof value === 'string' && value.length <= MAX_CLOCK_CHARACTERS;
  return mayBeClock ? parseClockOfToday(value, nowMs()) : time;
}

/** Jekyll's `"ordinal"` gives `27th Jan 2011`, with `"US"` `Jan 27th, 2011`. */
function formattedDay(value: unknown, month: string, { args: [type, style] }: FilterCall): unknown {
  if (type !== 'ordinal') return formatted(value, `%d ${month} %Y`);
  const day = Number(formatted(value, '%-d'));
  if (!Number.isInteger(day) || timeIn(value) === undefined) return value;
  const ordinal = `${day}${ordinalEnding(day)}`;
  return formatted(value, style === 'US' ? `${month} ${ordinal}, %Y` : `${ordinal} ${month} %Y`);
}

function ordinalEnding(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** `date: format, zone`; without a format the value stays unchanged. */
function date(value: unknown, { args: [format, zone] }: FilterCall): unknown {
  const text = textOf(format);
  return text === '' ? value : formatted(value, text, isNothing(zone) ? undefined : textOf(zone));
}

function formatted(value: unknown, format: string, zone?: string): unknown {
  if (format.length > MAX_FORMAT_CHARACTERS) throw new TemplateError('the format is too long');
  const time = timeIn(value);
  if (time === undefined) return value;
  const shown = zone === undefined ? time : inZone(time, zone);
  if (shown === undefined) throw new TemplateError(`unknown time zone "${shortened(zone ?? '', 100)}"`);
  return strftime(shown, format);
}
