import type { Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { isTimeZone } from '../../platform/time/time-zone.js';
import { problemAt } from '../../platform/validation/validate.js';
import { CronError, parseCron } from './cron-times.js';
import { scheduleKindProblems } from './schedule-kind.js';

/** An action with a schedule starts runs at the times of `cron` in `timezone`, an IANA name. */
export interface Schedule {
  cron: string;
  timezone: string;
}

export interface ParsedSchedule {
  /** The valid schedules, without duplicates. */
  schedules: Schedule[];
  /** `details` is the path within the value (`[0].cron`). */
  problems: Problem[];
}

const DEFAULT_TIMEZONE = 'UTC';

/** Words instead of cron, in stories of schema 1 and in Huginn, where the words come from. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['every_1m', '* * * * *'],
  ['every_2m', '*/2 * * * *'],
  ['every_5m', '*/5 * * * *'],
  ['every_10m', '*/10 * * * *'],
  ['every_30m', '*/30 * * * *'],
  ['every_1h', '0 * * * *'],
  ['every_2h', '0 */2 * * *'],
  ['every_5h', '0 */5 * * *'],
  ['every_12h', '0 */12 * * *'],
  ['every_1d', '0 0 * * *'],
  ['every_2d', '0 0 */2 * *'],
  ['every_7d', '0 0 * * 1'],
  ...Array.from({ length: 24 }, (_, hour): [string, string] => [nameOf(hour), `0 ${hour} * * *`]),
]);

/** `midnight`, `1am` … `11am`, `noon`, `1pm` … `11pm`. */
function nameOf(hour: number): string {
  if (hour === 0) return 'midnight';
  if (hour === 12) return 'noon';
  return hour < 12 ? `${hour}am` : `${hour - 12}pm`;
}

/**
 * Parses an action's `schedule` in the export form: nothing, `never`, a word such as `every_1d`, an object with
 * `cron` and `timezone`, or a list of these.
 */
export function parseSchedule(value: JsonValue | undefined): ParsedSchedule {
  const wrongKinds = scheduleKindProblems(value);
  if (wrongKinds.length > 0) return { schedules: [], problems: wrongKinds };
  const entries = Array.isArray(value)
    ? value.map((entry, index) => parseEntry(entry, [index]))
    : [parseEntry(value ?? null, [])];
  const schedules = entries.flatMap((entry) => entry.schedules);
  const distinct = new Map(schedules.map((schedule) => [`${schedule.cron} ${schedule.timezone}`, schedule]));
  return { schedules: [...distinct.values()], problems: entries.flatMap(({ problems }) => problems) };
}

type Path = readonly (string | number)[];

function parseEntry(entry: JsonValue, path: Path): ParsedSchedule {
  return isJsonObject(entry) ? parseObject(entry, path) : parseWord(trimmed(entry), path);
}

function parseWord(word: string, path: Path): ParsedSchedule {
  if (word === '' || word === 'never') return { schedules: [], problems: [] };
  const cron = WORDS.get(word);
  if (cron !== undefined) return { schedules: [{ cron, timezone: DEFAULT_TIMEZONE }], problems: [] };
  const message = 'is not a schedule such as every_1d, midnight or 5pm';
  return { schedules: [], problems: [problemAt(message, path)] };
}

function parseObject({ cron, timezone }: JsonObject, path: Path): ParsedSchedule {
  const text = trimmed(cron).replace(/\s+/g, ' ');
  const zone = trimmed(timezone) || DEFAULT_TIMEZONE;
  const fault = cronFault(text);
  const problems = [
    ...(fault === undefined ? [] : [problemAt(fault, [...path, 'cron'])]),
    ...(isTimeZone(zone) ? [] : [problemAt('is not an IANA time zone', [...path, 'timezone'])]),
  ];
  return { schedules: problems.length > 0 ? [] : [{ cron: text, timezone: zone }], problems };
}

/** Values of other types are null or absent here (`scheduleKindProblems`). */
function trimmed(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

function cronFault(cron: string): string | undefined {
  try {
    parseCron(cron);
    return undefined;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}
