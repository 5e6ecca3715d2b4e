import Joi from 'joi';
import {
  type AnyRoute,
  component,
  cursorKey,
  defineRoute,
  exampleMeta,
  idSchema,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  responseSchema,
  timeSchema,
  windowOf,
} from '../../api/face.js';
import { LOG_LEVELS, type AgentLogLevel } from '../../agents/face.js';
import { type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { eventExample, eventSchema, presentEvent } from '../events/event-presenter.js';
import type { ActionLogService, LogLineView } from './action-log-service.js';
import { API_LEVELS, apiLevelOf, LOG_SEVERITIES, severityOf, storedLevelFrom } from './log-levels.js';
import { runGuidField } from '../runs/run-params.js';

interface Services {
  actionLogs: ActionLogService;
}

interface ListQuery extends PageQuery {
  level?: number;
  severity?: AgentLogLevel;
  story_run_guid?: string;
}

const listQuery = Joi.object<ListQuery>({
  level: Joi.number()
    .valid(...API_LEVELS)
    .description('Minimum level: 1 debug, 3 info and warn, 4 error'),
  severity: Joi.string()
    .valid(...LOG_SEVERITIES)
    .description('Minimum severity'),
  story_run_guid: runGuidField,
  ...pageKeys,
  ...cursorKey('id'),
});

const lineSchema = component(
  'LogLine',
  responseSchema({
    id: idSchema,
    level: Joi.number()
      .valid(...API_LEVELS)
      .description('1 debug, 3 info and warn, 4 error'),
    severity: Joi.string()
      .valid(...LOG_SEVERITIES)
      .description('The name of the level'),
    message: Joi.string().allow(''),
    created_at: timeSchema,
    story_run_guid: Joi.string().guid(),
    inbound_event_id: idSchema
      .allow(null)
      .description(
        'The event that it processed; null if it was the first of the run, or if retention deleted the event',
      ),
    inbound_event: eventSchema.allow(null).description('That event with its output'),
    attempt: Joi.number()
      .integer()
      .allow(null)
      .description('Number of the attempt that failed, from 1; null if none did'),
    delivery_id: idSchema
      .allow(null)
      .description('The step that failed or logged an error; the id of the dead letter if it became one'),
    cause: Joi.string()
      .allow('', null)
      .description('Status and message of the response; null if it tells no more than `message`'),
  }),
);

const lineExample = {
  id: 77,
  level: 3,
  severity: 'warn',
  message: 'Attempt 1 failed, the next one is in 10 s: the mail server is busy',
  created_at: '2026-11-21T09:30:02Z',
  story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  inbound_event_id: eventExample.id,
  inbound_event: eventExample,
  attempt: 1,
  delivery_id: 901,
  cause: null,
};

function presentLine(line: LogLineView) {
  return {
    id: line.id,
    level: apiLevelOf(line.level),
    severity: severityOf(line.level),
    message: line.message,
    created_at: timestamp(line.createdAt),
    story_run_guid: line.storyRunGuid,
    inbound_event_id: line.inboundEventId,
    inbound_event: line.inboundEvent === undefined ? null : presentEvent(line.inboundEvent),
    attempt: line.attempt,
    delivery_id: line.deliveryId,
    cause: line.cause,
  };
}

/** Returns the lowest stored level that both filters allow; undefined without a filter. */
function lowestOf({ level, severity }: Pick<ListQuery, 'level' | 'severity'>): number | undefined {
  const levels = [
    ...(level === undefined ? [] : [storedLevelFrom(level)]),
    ...(severity === undefined ? [] : [LOG_LEVELS[severity]]),
  ];
  return levels.length === 0 ? undefined : Math.max(...levels);
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
      description:
        'Its log lines, each with the event that it processed. `level` and `severity` set the minimum.',
      tag: 'Agents',
      response: listSchema('action_logs', lineSchema),
      example: {
        params: { id: 32 },
        query: { level: 3 },
        response: { action_logs: [lineExample], meta: exampleMeta(`/api/v1/${word}/32/logs`) },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { actionLogs }) {
      const filter = {
        agentId: params.id,
        level: lowestOf(query),
        storyRunGuid: query.story_run_guid,
      };
      const page = await actionLogs.list(actor, filter, windowOf(query));
      return { action_logs: page.items.map(presentLine), meta: pageMeta(request, query, page) };
    },
  }),
);
