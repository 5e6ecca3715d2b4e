import type { Problem } from '../../platform/errors.js';
import { isJsonObject } from '../../platform/json.js';
import { problemAt } from '../../platform/validation/validate.js';

/** Schedules of one action. */
const MAX_SCHEDULES = 20;

type Path = readonly (string | number)[];

/**
 * Returns the faults of a `schedule` whose type no schedule has. An import refuses those, and warns of all other faults
 * (spec §3.5). `details` is the path within the value (`[0].cron`).
 */
export function scheduleKindProblems(value: unknown): Problem[] {
  if (!Array.isArray(value)) return entryProblems(value, []);
  if (value.length > MAX_SCHEDULES) return [{ message: `can contain at most ${MAX_SCHEDULES} schedules` }];
  return value.flatMap((entry, index) => entryProblems(entry, [index]));
}

/** Returns the problems of the schedule at `place`, each with its full path. */
export function problemsOfScheduleAt(place: string, problems: Problem[]): Problem[] {
  return problems.map(({ message, details: path }) => {
    const join = path === undefined || path.startsWith('[') ? '' : '.';
    const details = `${place}${join}${path ?? ''}`;
    return { message: `"${details}" ${message}`, details };
  });
}

function entryProblems(entry: unknown, path: Path): Problem[] {
  if (entry === undefined || entry === null || typeof entry === 'string') return [];
  if (!isJsonObject(entry)) {
    const kinds = 'a name such as every_1d, an object with cron and timezone, or a list of these';
    return [problemAt(`must be ${kinds}`, path)];
  }
  const { cron, timezone } = entry;
  return [
    ...(typeof cron === 'string' ? [] : [problemAt('must be a cron expression', [...path, 'cron'])]),
    ...(typeof (timezone ?? '') === 'string' ? [] : [problemAt('must be text', [...path, 'timezone'])]),
  ];
}
