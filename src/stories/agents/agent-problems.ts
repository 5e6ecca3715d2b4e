import { Conflict, type Problem } from '../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { AgentTypes } from '../import/check-export.js';
import { givenAddress, pathProblem, WEBHOOK_TYPE } from '../import/import-address.js';
import { exceedsDepth, LIMITS } from '../import/import-limits.js';
import { parseSchedule } from '../schedules/parse-schedule.js';
import { problemsOfScheduleAt } from '../schedules/schedule-kind.js';

/** The settings of an action that depend on its type. */
export interface TypedSettings {
  options?: JsonObject | undefined;
  schedule?: JsonValue | undefined;
}

/** Returns the faults of options and schedule, if given, for which an import would refuse the options. */
export function settingProblems(
  type: string,
  { options, schedule }: TypedSettings,
  types: Pick<AgentTypes, 'checkOptions'>,
): Problem[] {
  return [
    ...(options === undefined ? [] : optionProblems(type, options, types)),
    ...(schedule === undefined ? [] : scheduleProblems(type, schedule)),
  ];
}

function scheduleProblems(type: string, schedule: JsonValue): Problem[] {
  const { schedules, problems } = parseSchedule(schedule);
  if (type !== WEBHOOK_TYPE || schedules.length === 0) return problemsOfScheduleAt('schedule', problems);
  return problemsOfScheduleAt('schedule', [
    { message: 'cannot be set on a webhook, which is started by requests' },
  ]);
}

function wholeOptions(what: string): Problem[] {
  return [{ message: `"options" is ${what}`, details: 'options' }];
}

function optionProblems(
  type: string,
  options: JsonObject,
  types: Pick<AgentTypes, 'checkOptions'>,
): Problem[] {
  if (exceedsDepth(options, LIMITS.depth)) return wholeOptions(`nested deeper than ${LIMITS.depth} levels`);
  if (Buffer.byteLength(stringifyJson(options)) > LIMITS.rowBytes) {
    return wholeOptions(`larger than ${LIMITS.rowBytes} bytes`);
  }
  const problems = types.checkOptions(type, options).map(({ message, details }): Problem => {
    const place = details === undefined ? 'options' : `options.${details}`;
    return { message: `"${place}": ${message}`, details: place };
  });
  const path = webhookPathOf(type, options);
  const fault = path === undefined ? undefined : pathProblem(path);
  if (fault !== undefined) problems.push({ message: `"options.path" ${fault}`, details: 'options.path' });
  return problems;
}

/** Returns the path in the options of a webhook; undefined for other types and without one. */
export function webhookPathOf(type: string, options: JsonObject): string | undefined {
  return type === WEBHOOK_TYPE ? givenAddress(options).path : undefined;
}

/** Turns the error of a path that another webhook has into a Conflict; other errors are thrown as they are. */
export function pathTaken(path: string | undefined): (error: unknown) => never {
  return (error) => {
    if (!isDuplicateKey(error) || path === undefined) throw error;
    throw new Conflict([
      { message: `The webhook path "${path}" is already in use`, details: 'options.path' },
    ]);
  };
}
