import Joi from 'joi';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../api/answer-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../api/page-meta.js';
import { idParams, type IdParams } from '../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../api/route.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import { nameField } from '../access/tenants/name-field.js';
import { presentAgent } from './agent-presenter.js';
import type { AgentService } from './agent-service.js';

interface Services {
  agents: Pick<AgentService, 'list' | 'get' | 'update' | 'check'>;
}

interface AgentBody {
  name?: string;
  disabled?: boolean;
  options?: JsonObject;
  keep_events_for?: number;
  schedule?: JsonValue;
}

const MAX_SECONDS = 4_294_967_295;

const scheduleWord = Joi.string().allow('', null).max(255);
const cronObject = Joi.object({
  cron: Joi.string().max(255).required(),
  timezone: Joi.string().allow('', null).max(64),
});
const scheduleField = Joi.alternatives(
  scheduleWord,
  cronObject,
  Joi.array().items(scheduleWord, cronObject),
).description(
  'When the action starts runs without a request: a word such as every_1d, cron with a time zone, or a list of these',
);

const agentBody = Joi.object<AgentBody>({
  name: nameField,
  disabled: Joi.boolean(),
  options: Joi.object().unknown(true),
  keep_events_for: Joi.number()
    .integer()
    .min(0)
    .max(MAX_SECONDS)
    .description('Seconds; 0: the period of the story'),
  schedule: scheduleField,
});

const agentAnswer = answerSchema({
  id: idSchema,
  story_id: idSchema,
  team_id: idSchema,
  type: Joi.string(),
  name: Joi.string().allow(''),
  guid: Joi.string().hex().length(32),
  disabled: Joi.boolean(),
  options: Joi.object().unknown(true),
  keep_events_for: Joi.number().integer(),
  schedule: Joi.any().description('As imported or set; null: none'),
  sources: Joi.array().items(idSchema).description('Ids of the actions it receives events from'),
  receivers: Joi.array().items(idSchema).description('Ids of the actions that receive its events'),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 31,
  story_id: 12,
  team_id: 2,
  type: 'Agents::EventTransformationAgent',
  name: 'Pick the host',
  guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
  disabled: false,
  options: { mode: 'message_only', payload: { host: '{{ .receive_alert.body.host }}' } },
  keep_events_for: 0,
  schedule: null,
  sources: [30],
  receivers: [],
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** `agents` and `actions` mean the same in paths; responses use the key `agents` (spec §3.9). */
const WORDS = ['agents', 'actions'] as const;

/** Endpoints of a story's agents (spec §3.5). */
export const agentRoutes: AnyRoute<Services>[] = WORDS.flatMap((word) => [
  listRoute(word),
  getRoute(word),
  updateRoute('put', word),
  updateRoute('patch', word),
]);

function listRoute(word: (typeof WORDS)[number]): AnyRoute<Services> {
  return defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: `/api/v1/stories/:id/${word}`,
    summary: `List the ${word} of a story`,
    params: idParams,
    query: Joi.object<PageQuery>(pageKeys),
    docs: {
      tag: 'Agents',
      description: 'In the order of the story. `agents` and `actions` in a path mean the same.',
      response: listSchema('agents', agentAnswer),
      example: {
        params: { id: 12 },
        response: { agents: [example], meta: exampleMeta(`/api/v1/stories/12/${word}`) },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { agents }) {
      const { items, total } = await agents.list(actor, params.id, windowOf(query));
      return { agents: items.map(presentAgent), meta: pageMeta(request, query, total) };
    },
  });
}

function getRoute(word: (typeof WORDS)[number]): AnyRoute<Services> {
  return defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: `/api/v1/${word}/:id`,
    summary: `Get one of the ${word} of a story`,
    params: idParams,
    docs: {
      tag: 'Agents',
      response: agentAnswer,
      example: { params: { id: 31 }, response: example },
      errors: [404],
    },
    async handle({ actor, params }, { agents }) {
      return presentAgent(await agents.get(actor, params.id));
    },
  });
}

function updateRoute(method: 'put' | 'patch', word: (typeof WORDS)[number]): AnyRoute<Services> {
  return defineRoute<IdParams, unknown, AgentBody, Services>({
    method,
    path: `/api/v1/${word}/:id`,
    summary: `Update one of the ${word} of a story`,
    params: idParams,
    body: agentBody,
    audit: 'agent.update',
    docs: {
      tag: 'Agents',
      description:
        'Changes the given fields; `options` and `schedule` replace the old values. A webhook keeps its path and its secret unless `options` set them; a path in use is a conflict.',
      response: agentAnswer,
      example: { params: { id: 31 }, body: { name: 'Pick the host' }, response: example },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params, body }, { agents }) => agents.check(actor, params.id, body),
    async handle({ actor, params, body }, { agents }) {
      const { keep_events_for: keepEventsForSeconds, ...change } = body;
      return presentAgent(await agents.update(actor, params.id, { ...change, keepEventsForSeconds }));
    },
  });
}
