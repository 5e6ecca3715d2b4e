import Joi from 'joi';
import { component } from '../../api/openapi/component.js';
import { LOG_LEVELS } from '../../agents/agent.js';
import { responseSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../../api/response-schema.js';
import { type PageQuery, pageKeys, pageMeta, windowOf } from '../../api/page-meta.js';
import { type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { timestamp } from '../../platform/text/timestamp.js';
import type { ActionLogService } from './action-log-service.js';
import type { LogLine } from './action-log-store.js';
import { runGuidField } from '../run-params.js';

interface Services {
  actionLogs: ActionLogService;
}

interface ListQuery extends PageQuery {
  level?: number;
  story_run_guid?: string;
}

const LEVELS = Object.values(LOG_LEVELS);

const listQuery = Joi.object<ListQuery>({
  level: Joi.number()
    .valid(...LEVELS)
    .description('Lines of this level and above: 1 debug, 2 info, 3 warn, 4 error'),
  story_run_guid: runGuidField,
  ...pageKeys,
});

const lineSchema = component(
  'LogLine',
  responseSchema({
    id: idSchema,
    level: Joi.number()
      .valid(...LEVELS)
      .description('1 debug, 2 info, 3 warn, 4 error'),
    message: Joi.string().allow(''),
    created_at: timeSchema,
    story_run_guid: Joi.string().guid(),
    inbound_event_id: idSchema
      .allow(null)
      .description(
        'The event that it processed; null: it was the first of the run, or retention has deleted the event',
      ),
  }),
);

const lineExample = {
  id: 77,
  level: LOG_LEVELS.warn,
  message: 'Attempt 1 failed, the next one is in 10 s: the mail server is busy',
  created_at: '2026-11-21T09:30:02Z',
  story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  inbound_event_id: 813,
};

function presentLine(line: LogLine) {
  return {
    id: line.id,
    level: line.level,
    message: line.message,
    created_at: timestamp(line.createdAt),
    story_run_guid: line.storyRunGuid,
    inbound_event_id: line.inboundEventId,
  };
}

/** The log of an action, under both names in paths (spec §3.9). */
export const actionLogRoutes: AnyRoute<Services>[] = (['actions', 'agents'] as const).map((word) =>
  defineRoute<IdParams, ListQuery, unknown, Services>({
    method: 'get',
    path: `/api/v1/${word}/:id/logs`,
    summary: `List the log of one of the ${word}, newest line first`,
    params: idParams,
    query: listQuery,
    docs: {
      tag: 'Agents',
      response: listSchema('action_logs', lineSchema),
      example: {
        params: { id: 32 },
        query: { level: LOG_LEVELS.warn },
        response: { action_logs: [lineExample], meta: exampleMeta(`/api/v1/${word}/32/logs`) },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { actionLogs }) {
      const { level, story_run_guid: storyRunGuid } = query;
      const filter = { agentId: params.id, level, storyRunGuid };
      const { items, total } = await actionLogs.list(actor, filter, windowOf(query));
      return { action_logs: items.map(presentLine), meta: pageMeta(request, query, total) };
    },
  }),
);
