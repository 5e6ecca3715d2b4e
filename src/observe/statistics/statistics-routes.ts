import Joi from 'joi';
import {
  type AnyRoute,
  defineRoute,
  exampleMeta,
  pageKeys,
  pageMeta,
  pageMetaSchema,
  type PageQuery,
  responseSchema,
  timeSchema,
  windowOf,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { presentStatistics, statisticsExample, statisticsSchema } from './statistics-presenter.js';
import type { StatisticsService } from './statistics-service.js';
import { type Grouping, GROUPINGS, type Order, ORDERS } from './statistics.js';

interface Services {
  statistics: StatisticsService;
}

interface StatisticsParams extends PageQuery {
  by: Grouping;
  order: Order;
  from?: Date;
  to?: Date;
  story_id?: number;
  team_id?: number;
  test_mode: boolean;
}

const PATH = '/api/v1/stats';

const statisticsQuery = Joi.object<StatisticsParams>({
  by: Joi.string()
    .valid(...GROUPINGS)
    .default('story')
    .description('Grouping of the items; minutes, hours and days are in UTC'),
  order: Joi.string()
    .valid(...ORDERS)
    .default('id')
    .description('`mean_work`, for actions: longest processing time per event first; range of at most a day'),
  from: timeField.description(
    'Start, rounded down to the minute, hour or day. Default: a day before `to`; an hour for minutes; a week for days. At most 31 days before `to`; for minutes 3 hours, and 6 hours ago',
  ),
  to: timeField.description('End, rounded up to the minute, hour or day; default: now'),
  story_id: idField.description('Only this story or draft'),
  team_id: idField.description('Only stories of this team'),
  test_mode: Joi.boolean().default(false).description('true for drafts; otherwise live stories'),
  ...pageKeys,
});

/** Statistics of stories and actions (spec §5.11). */
export const statisticsRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, StatisticsParams, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'Count runs, events and failures by story, action, minute, hour or day',
    query: statisticsQuery,
    docs: {
      tag: 'Runs',
      operationId: 'getStatistics',
      description:
        'Totals per hour or minute for the stories that the key can access. Stories and actions are sorted by id (actions also by processing time), times newest first; items without activity have zeros. A worker counts in the background: all rows before `counted_until` are included; newer ones may be.',
      response: responseSchema({
        stats: Joi.array().items(statisticsSchema).description('Items of the page'),
        from: timeSchema.description('Start of the range'),
        to: timeSchema.description('Its end'),
        counted_since: timeSchema
          .allow(null)
          .description(
            'For minutes: when this installation started counting them; earlier totals may be missing. Otherwise null',
          ),
        counted_until: timeSchema.description('All rows before this time are counted'),
        lag_seconds: Joi.number()
          .integer()
          .min(0)
          .description('Seconds from `counted_until` to now; about 40 under steady load, 0 when idle'),
        meta: pageMetaSchema,
      }),
      example: {
        query: { by: 'story', from: '2026-11-20T10:00:00Z', to: '2026-11-21T10:00:00Z' },
        response: {
          stats: [statisticsExample],
          from: '2026-11-20T10:00:00Z',
          to: '2026-11-21T10:00:00Z',
          counted_since: null,
          counted_until: '2026-11-21T09:44:41Z',
          lag_seconds: 31,
          meta: exampleMeta(PATH),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { statistics }) {
      const { by, order, from, to, story_id: storyId, team_id: teamId, test_mode: ofDrafts } = query;
      const asked = { by, order, from, to, storyId, teamId, ofDrafts };
      const found = await statistics.list(actor, asked, windowOf(query));
      return {
        stats: found.groups.map((group) => presentStatistics(group, found)),
        from: timestamp(found.from),
        to: timestamp(found.to),
        counted_since: found.countedSince === undefined ? null : timestamp(found.countedSince),
        counted_until: timestamp(found.countedUntil),
        lag_seconds: Math.round((found.now.getTime() - found.countedUntil.getTime()) / 1000),
        meta: pageMeta(request, query, found),
      };
    },
  }),
];
