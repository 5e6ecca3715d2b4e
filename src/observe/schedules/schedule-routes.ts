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

/** The list of schedules (spec §5.14). */
export const scheduleRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List schedules with their next starts and their last run',
    description:
      'Schedules of the stories that the key can access, next ones first. Excludes drafts, whose schedules do not run. Change a schedule through its action: `PUT /api/v1/actions/{id}` with `schedule` or `disabled`.',
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
];
