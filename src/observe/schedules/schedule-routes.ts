import Joi from 'joi';
import { type AnyRoute, crudRoutes, pageKeys, type PageQuery, placesOf } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { MOST_DAYS, type ScheduleListService, type ScheduleView } from './schedule-list-service.js';
import { presentSchedule, scheduleExample, scheduleResponse } from './schedule-presenter.js';

interface Services {
  schedules: ScheduleListService;
}

interface ListQuery extends PageQuery {
  story_id?: number;
  team_id?: number;
  starts_until?: Date;
}

const routes = crudRoutes<Services, ScheduleView>({
  tag: 'Runs',
  ...placesOf('/api/v1/schedules', scheduleExample.id),
  response: scheduleResponse,
  example: scheduleExample,
  present: presentSchedule,
});

const query = Joi.object<ListQuery>({
  story_id: idField.description('Schedules of this story'),
  team_id: idField.description('Schedules of the stories of this team'),
  starts_until: timeField.description(
    `Return the next starts up to this time, at most ${MOST_DAYS} days from now`,
  ),
  ...pageKeys,
});

const body = Joi.object<{ paused: boolean }>({
  paused: Joi.boolean().required().description('Whether it is paused: it starts no runs until it is resumed'),
});

/** Schedules and their pauses (spec §5.14). */
export const scheduleRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List schedules with their next starts and their last run',
    description:
      'Schedules of the stories that the key can access, next ones first. Excludes drafts, whose schedules do not run. A paused one keeps its next times and starts nothing at them. Change the times through the action: `PUT /api/v1/actions/{id}` with `schedule`.',
    plural: 'schedules',
    query,
    exampleQuery: { starts_until: '2026-11-25T00:00:00Z' },
    handle: ({ actor, query: asked, window }, { schedules }) =>
      schedules.list(
        actor,
        { storyId: asked.story_id, teamId: asked.team_id, startsUntil: asked.starts_until },
        window,
      ),
  }),

  routes.get({
    summary: 'Get a schedule',
    description: 'Its next time, its last run and whether it is paused; `starts` is null.',
    handle: ({ actor, params }, { schedules }) => schedules.get(actor, params.id),
  }),

  ...routes.update<{ paused: boolean }>({
    summary: 'Pause or resume a schedule',
    description:
      'A paused schedule starts no runs, and its skipped starts are not run later. Other schedules of the action go on. The pause stays when the times of the schedule change; it is no part of an export. Locked stories allow it.',
    body,
    exampleBody: { paused: true },
    exampleResponse: { ...scheduleExample, paused_at: '2026-11-21T10:30:00Z', starts: null },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'schedule.update',
    // A client may send back what it has read.
    ignored: Object.keys(scheduleExample),
    check: ({ actor, params }, { schedules }) => schedules.check(actor, params.id),
    handle: ({ actor, params, body: { paused } }, { schedules }) => schedules.pause(actor, params.id, paused),
  }),
];
