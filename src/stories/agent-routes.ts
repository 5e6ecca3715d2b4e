import Joi from 'joi';
import { component } from '../api/openapi/component.js';
import { responseSchema, idSchema, timeSchema } from '../api/response-schema.js';
import { crudRoutes } from '../api/crud-routes.js';
import { idParams, type IdParams } from '../platform/http/path-id.js';
import type { AnyRoute } from '../api/route.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import { timestamp } from '../platform/text/timestamp.js';
import { nameField } from '../access/tenants/name-field.js';
import type { AgentRecord } from './agent-store.js';
import type { AgentService } from './agent-service.js';
import { jsonObject } from '../platform/validation/json-object.js';

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

const agentBody = component(
  'ActionChanges',
  Joi.object<AgentBody>({
    name: nameField,
    disabled: Joi.boolean(),
    options: jsonObject(),
    keep_events_for: Joi.number()
      .integer()
      .min(0)
      .max(MAX_SECONDS)
      .description('Seconds; 0: the period of the story'),
    schedule: scheduleField,
  }),
);

const agentResponse = component(
  'Action',
  responseSchema({
    id: idSchema,
    story_id: idSchema,
    team_id: idSchema,
    type: Joi.string().description('The kind of action: `Agents::WebhookAgent`'),
    name: Joi.string().allow(''),
    guid: Joi.string().hex().length(32),
    disabled: Joi.boolean(),
    options: Joi.object().unknown(true),
    keep_events_for: Joi.number()
      .integer()
      .description('How long events are kept, in seconds; 0: as the story says'),
    schedule: Joi.any().description('As imported or set; null: none'),
    sources: Joi.array().items(idSchema).description('Ids of the actions it receives events from'),
    receivers: Joi.array().items(idSchema).description('Ids of the actions that receive its events'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

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

/** An agent of a story. Options are presented as stored, with a webhook's path and secret (spec §3.5). */
function present(agent: AgentRecord) {
  return {
    id: agent.id,
    story_id: agent.storyId,
    team_id: agent.teamId,
    type: agent.type,
    name: agent.name,
    guid: agent.guid,
    disabled: agent.disabled,
    options: agent.options,
    schedule: agent.extra.schedule ?? null,
    keep_events_for: agent.keepEventsForSeconds,
    sources: agent.sourceIds,
    receivers: agent.receiverIds,
    created_at: timestamp(agent.createdAt),
    updated_at: timestamp(agent.updatedAt),
  };
}

/** `agents` and `actions` mean the same in paths; responses use the key `agents` (spec §3.9). */
const WORDS = ['agents', 'actions'] as const;

/** Endpoints of a story's agents (spec §3.5). */
export const agentRoutes: AnyRoute<Services>[] = WORDS.flatMap((word) => {
  const routes = crudRoutes<Services, AgentRecord, IdParams>({
    tag: 'Agents',
    list: { path: `/api/v1/stories/:id/${word}`, params: idParams, example: { id: example.story_id } },
    item: { path: `/api/v1/${word}/:id`, params: idParams, example: { id: example.id } },
    response: agentResponse,
    example,
    present,
  });
  return [
    routes.list({
      summary: `List the ${word} of a story`,
      description: 'In the order of the story. `agents` and `actions` in a path mean the same.',
      plural: 'agents',
      handle: ({ actor, params, window }, { agents }) => agents.list(actor, params.id, window),
    }),

    routes.get({
      summary: `Get one of the ${word} of a story`,
      handle: ({ actor, params }, { agents }) => agents.get(actor, params.id),
    }),

    ...routes.update<AgentBody>({
      summary: `Update one of the ${word} of a story`,
      description:
        'Changes the given fields; `options` and `schedule` replace the old values. A webhook keeps its path and its secret unless `options` set them; a path in use is a conflict.',
      body: agentBody,
      exampleBody: { name: 'Pick the host' },
      errors: [400, 403, 404, 409, 413, 415, 422],
      audit: 'agent.update',
      check: ({ actor, params, body }, { agents }) => agents.check(actor, params.id, body),
      handle({ actor, params, body }, { agents }) {
        const { keep_events_for: keepEventsForSeconds, ...change } = body;
        return agents.update(actor, params.id, { ...change, keepEventsForSeconds });
      },
    }),
  ];
});
