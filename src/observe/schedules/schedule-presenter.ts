import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { RUN_STATUSES } from '../runs/run.js';
import type { ScheduleView } from './schedule-list-service.js';
import { MOST_STARTS } from './schedule-starts.js';

/** A schedule in a response. */
export const scheduleResponse = component(
  'Schedule',
  responseSchema({
    id: idSchema,
    team_id: idSchema,
    cron: Joi.string().description('Minute, hour, day of month, month and day of week'),
    timezone: Joi.string().description('IANA time zone of these times'),
    next_at: timeSchema.description(
      'Its next time; nothing starts if it is paused, or the action or the story is disabled',
    ),
    paused_at: timeSchema
      .allow(null)
      .description('Since when it is paused and starts no runs; null: it is not paused'),
    last_at: timeSchema.allow(null).description('The scheduled time of its last run'),
    last_run: responseSchema({
      guid: Joi.string().guid(),
      status: Joi.string().valid(...RUN_STATUSES),
    })
      .allow(null)
      .description('Its last run; null if none, or if the run was deleted'),
    last_skip: responseSchema({
      from: timeSchema.description('The first skipped start'),
      until: timeSchema.description('When the scheduler checked; starts up to this time were skipped'),
      reason: Joi.string()
        .valid('late', 'quota')
        .description(
          '`late`: no process was running; `quota`: the daily run quota of the tenant was used up',
        ),
    })
      .allow(null)
      .description('Its last skipped starts; null if none'),
    starts: Joi.array()
      .items(timeSchema)
      .allow(null)
      .description(
        `Its next times up to \`starts_until\`, the first ${MOST_STARTS}; null without \`starts_until\`, or for a zone that the server does not know`,
      ),
    starts_complete: Joi.boolean().description(`false if there are more than ${MOST_STARTS} starts`),
    action: responseSchema({
      id: idSchema,
      name: Joi.string().allow(''),
      type: Joi.string().description('Its type'),
      disabled: Joi.boolean().description('Whether the action is disabled'),
    }).description('The action that it starts'),
    story: responseSchema({
      id: idSchema,
      name: Joi.string().allow(''),
      disabled: Joi.boolean().description('Whether the story is disabled'),
      locked: Joi.boolean().description('Whether its actions are locked'),
      change_control_enabled: Joi.boolean().description(
        'Whether its actions only change through promoted change requests',
      ),
    }).description('The story of the action'),
  }),
);

/** A schedule that `scheduleResponse` allows. */
export const scheduleExample = {
  id: 4,
  team_id: 2,
  cron: '0 9 * * 1-5',
  timezone: 'Europe/Vienna',
  next_at: '2026-11-23T08:00:00Z',
  paused_at: null,
  last_at: '2026-11-20T08:00:00Z',
  last_run: { guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57', status: 'completed' },
  last_skip: null,
  starts: ['2026-11-23T08:00:00Z', '2026-11-24T08:00:00Z'],
  starts_complete: true,
  action: { id: 31, name: 'Every morning', type: 'Agents::HTTPRequestAgent', disabled: false },
  story: { id: 12, name: 'Daily report', disabled: false, locked: false, change_control_enabled: false },
};

function presentSkip({
  skippedAt,
  skippedUntil,
  skippedReason,
}: Pick<ScheduleView, 'skippedAt' | 'skippedUntil' | 'skippedReason'>) {
  if (skippedAt === null || skippedUntil === null) return null;
  return { from: timestamp(skippedAt), until: timestamp(skippedUntil), reason: skippedReason };
}

/** Presents a schedule. */
export function presentSchedule({ agent, story, starts, ...schedule }: ScheduleView) {
  const { hasChangeControl, ...place } = story;
  return {
    id: schedule.id,
    team_id: schedule.teamId,
    cron: schedule.cron,
    timezone: schedule.timezone,
    next_at: timestamp(schedule.nextAt),
    paused_at: schedule.pausedAt && timestamp(schedule.pausedAt),
    last_at: schedule.lastAt && timestamp(schedule.lastAt),
    last_run: schedule.lastRun,
    last_skip: presentSkip(schedule),
    starts: starts === undefined ? null : starts.times.map((time) => timestamp(time)),
    starts_complete: starts?.isComplete ?? true,
    action: agent,
    story: { ...place, change_control_enabled: hasChangeControl },
  };
}
