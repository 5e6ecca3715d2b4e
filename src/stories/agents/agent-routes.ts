import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  defineRoute,
  exampleMeta,
  ListResponse,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  type RoutePath,
  placesOf,
  type RequestFacts,
  taggedResponse,
  windowOf,
} from '../../api/face.js';
import { idField, idParams, type IdParams } from '../../platform/http/address/path-id.js';
import {
  type AgentBody,
  agentBody,
  draftField,
  ECHOED,
  LACKING,
  type NewAgentBody,
  newAgentBody,
  agentSettingsOf,
} from './write/agent-body.js';
import { agentExample, agentResponse, liveAgentExample, presentAgent } from './agent-presenter.js';
import type { AgentView } from './agent-view.js';
import type { DraftPlace, DraftService } from '../drafts/draft-service.js';
import { draftPlaceOf, STORY_DRAFT } from '../drafts/routes/story-draft-routes.js';
import type { AgentList, AgentService } from './agent-service.js';
import { type Changed, tagAfter } from '../edit/story-version.js';

interface Services {
  drafts: Pick<DraftService, 'get'>;
  agents: Pick<
    AgentService,
    'list' | 'get' | 'create' | 'checkCreate' | 'update' | 'check' | 'copyIn' | 'delete'
  >;
}

interface ListQuery extends PageQuery {
  include_live_activity: boolean;
  draft_id?: number;
}

interface ItemQuery {
  draft_id?: number | null;
}

interface OneQuery extends ItemQuery {
  include_live_activity: boolean;
}

interface WideQuery extends ListQuery {
  story_mode: 'LIVE' | 'TEST';
  story_id?: number;
  team_id?: number;
  action_type?: string;
  search?: string;
}

const TAG = 'Agents';
const listKeys = {
  draft_id: draftField,
  include_live_activity: Joi.boolean()
    .default(false)
    .description('Whether to return counts, times and state'),
  ...pageKeys,
};
const storyQuery = Joi.object<ListQuery>(listKeys);
const wideQuery = Joi.object<WideQuery>({
  story_id: idField,
  team_id: idField,
  story_mode: Joi.string()
    .uppercase()
    .valid('LIVE', 'TEST')
    .default('LIVE')
    .description('TEST for drafts, if no story is given'),
  action_type: Joi.string()
    .pattern(/^[\x20-\x7e]{1,64}$/, 'an action type')
    .description('Such as Agents::WebhookAgent'),
  search: Joi.string().max(255).description('Part of the name or webhook path'),
  ...listKeys,
});
const { draft_id: _, ...draftKeys } = listKeys;
const draftQuery = Joi.object<ListQuery>(draftKeys);
const itemQuery = Joi.object<ItemQuery>({ draft_id: draftField });
const oneQuery = Joi.object<OneQuery>({
  draft_id: draftField,
  include_live_activity: Joi.boolean()
    .default(false)
    .description('Whether to return `pending_action_runs_count`'),
});
const IGNORED = ['story_mode'];

async function* presented(agents: AsyncIterable<AgentView>) {
  for await (const agent of agents) yield presentAgent(agent);
}

function response({ items, total }: AgentList, query: PageQuery, request: RequestFacts): ListResponse {
  return new ListResponse('agents', presented(items), pageMeta(request, query, { total }));
}

/** `agents` and `actions` mean the same in paths; responses use the key `agents` (spec §3.9). */
const WORDS = ['agents', 'actions'] as const;

function listDocs(path: string) {
  return {
    tag: TAG,
    response: listSchema('agents', agentResponse),
    errors: [404, 422],
    example: { response: { agents: [agentExample], meta: exampleMeta(path) } },
  };
}

function listRoutes(word: (typeof WORDS)[number]): AnyRoute<Services>[] {
  const ofStory = listDocs(`/api/v1/stories/12/${word}`);
  const ofAll = listDocs(`/api/v1/${word}`);
  return [
    defineRoute<IdParams, ListQuery, unknown, Services>({
      method: 'get',
      path: `/api/v1/stories/:id/${word}`,
      summary: `List the ${word} of a story`,
      params: idParams,
      query: storyQuery,
      docs: {
        ...ofStory,
        description: 'In the order of the story. `agents` and `actions` in paths are equivalent.',
        example: { ...ofStory.example, params: { id: 12 } },
      },
      async handle({ actor, params, query, request }, { agents }) {
        const asked = {
          storyId: params.id,
          draftId: query.draft_id,
          withActivity: query.include_live_activity,
        };
        return response(await agents.list(actor, asked, windowOf(query)), query, request);
      },
    }),
    defineRoute<unknown, WideQuery, unknown, Services>({
      method: 'get',
      path: `/api/v1/${word}`,
      summary: `List the ${word} of all stories`,
      query: wideQuery,
      unsupported: LACKING,
      docs: {
        ...ofAll,
        description:
          'Actions that the key can access, oldest story first, in the order of each story; at most 100,000.',
        example: { ...ofAll.example, query: { story_id: 12 } },
      },
      async handle({ actor, query, request }, { agents }) {
        const { story_id: storyId, team_id: teamId, action_type: type, search } = query;
        const draftId = query.draft_id;
        const drafts = query.story_mode === 'TEST';
        const withActivity = query.include_live_activity;
        const asked = { storyId, teamId, type, search, draftId, drafts, withActivity };
        return response(await agents.list(actor, asked, windowOf(query)), query, request);
      },
    }),
  ];
}

function itemRoutes(word: (typeof WORDS)[number]): AnyRoute<Services>[] {
  const routes = crudRoutes<Services, AgentView & Changed>({
    tag: TAG,
    ...placesOf(`/api/v1/${word}`, agentExample.id),
    response: agentResponse,
    example: liveAgentExample,
    present: (agent) => taggedResponse(presentAgent(agent), tagAfter(agent)),
  });
  return [
    routes.create<NewAgentBody>({
      summary: `Add one of the ${word} to a story`,
      description:
        'Options are validated as in an import. With `draft_id`, it is added to that draft of the story. A webhook without a path or secret gets a generated one; a path already in use is a conflict. `source_ids` or `links_to_sources`, and `receiver_ids` or `links_to_receivers`, link it to actions of the same story.',
      body: newAgentBody,
      exampleBody: {
        story_id: 12,
        type: agentExample.type,
        name: 'Pick the host',
        options: agentExample.options,
        position: { x: 30, y: 150 },
        source_ids: [30],
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
      audit: 'agent.create',
      ignored: ECHOED,
      unsupported: LACKING,
      check({ actor, body }, { agents }) {
        const { story_id: storyId, type, options, schedule, draft_id: draftId } = body;
        return agents.checkCreate(actor, { storyId, type, options, schedule, draftId });
      },
      handle({ actor, body }, { agents }) {
        const { story_id: storyId, type, name, options } = body;
        return agents.create(actor, storyId, { ...agentSettingsOf(body), type, name, options });
      },
    }),

    defineRoute<IdParams, OneQuery, unknown, Services>({
      method: 'get',
      path: `/api/v1/${word}/:id`,
      summary: `Get one of the ${word} of a story`,
      params: idParams,
      query: oneQuery,
      ignored: IGNORED,
      unsupported: LACKING,
      docs: {
        tag: TAG,
        description: 'Includes counts, times and state. With `draft_id`, returns its copy in that draft.',
        response: agentResponse,
        example: { params: { id: agentExample.id }, response: liveAgentExample },
        errors: [404, 422],
      },
      handle: async ({ actor, params, query }, { agents }) =>
        presentAgent(
          await agents.get(actor, params.id, {
            draftId: query.draft_id,
            withPending: query.include_live_activity,
          }),
        ),
    }),

    ...routes.update<AgentBody>({
      summary: `Update one of the ${word} of a story`,
      description:
        'Changes the given fields, with `draft_id` on its copy in that draft. `options` and `schedule` replace the previous values. `source_ids` and `links_to_sources` both replace all links from sources, `receiver_ids` and `links_to_receivers` all links to receivers: an empty list removes them. A webhook keeps its path and secret unless `options` set them; a path already in use is a conflict.',
      body: agentBody,
      exampleBody: { name: 'Pick the host', position: { x: 30, y: 150 } },
      errors: [400, 403, 404, 409, 413, 415, 422],
      honoursIfMatch: true,
      audit: 'agent.update',
      ignored: ECHOED,
      unsupported: LACKING,
      check({ actor, params, body }, { agents }) {
        const { story_id: storyId, type, options, schedule, draft_id: draftId } = body;
        return agents.check(actor, params.id, { is: { storyId, type }, options, schedule, draftId });
      },
      auditedId: ({ actor, params, body }, { agents }) =>
        agents.copyIn(actor, { id: params.id, draftId: body.draft_id }),
      handle: ({ actor, params, body, request }, { agents }) =>
        agents.update(actor, { id: params.id, ifMatch: request.ifMatch }, agentSettingsOf(body)),
    }),

    defineRoute<IdParams, ItemQuery, unknown, Services>({
      method: 'delete',
      path: `/api/v1/${word}/:id`,
      summary: `Delete one of the ${word} of a story`,
      status: 204,
      params: idParams,
      query: itemQuery,
      ignored: IGNORED,
      unsupported: LACKING,
      honoursIfMatch: true,
      audit: 'agent.delete',
      docs: {
        tag: TAG,
        description:
          'Also deletes its links, schedule and state. Waiting deliveries become dead letters. Its events are deleted when their retention ends. With `draft_id`, deletes its copy in that draft.',
        example: { params: { id: agentExample.id } },
        errors: [403, 404, 409, 422],
      },
      auditedId: ({ actor, params, query }, { agents }) =>
        agents.copyIn(actor, { id: params.id, draftId: query.draft_id }),
      handle: ({ actor, params, query, request }, { agents }) =>
        agents.delete(actor, { id: params.id, draftId: query.draft_id, ifMatch: request.ifMatch }),
    }),
  ];
}

const draftDocs = listDocs('/api/v1/drafts/44/agents');

function draftAgentsRoute<Params>(
  { path, params, example }: Required<RoutePath<Params>>,
  placeOf: (params: Params) => DraftPlace,
): AnyRoute<Services> {
  return defineRoute<Params, ListQuery, unknown, Services>({
    method: 'get',
    path: `${path}/agents`,
    summary: 'List the actions of a draft',
    params,
    query: draftQuery,
    ignored: ['draft_id'],
    docs: {
      ...draftDocs,
      description: 'In the order of the draft.',
      example: { ...draftDocs.example, params: example },
    },
    async handle({ actor, params: given, query, request }, { agents, drafts }) {
      const { id: storyId } = await drafts.get(actor, placeOf(given));
      const asked = { storyId, withActivity: query.include_live_activity };
      return response(await agents.list(actor, asked, windowOf(query)), query, request);
    },
  });
}

/** Endpoints of agents (spec §3.5). */
export const agentRoutes: AnyRoute<Services>[] = [
  ...WORDS.flatMap((word) => [...listRoutes(word), ...itemRoutes(word)]),
  draftAgentsRoute({ path: '/api/v1/drafts/:id', params: idParams, example: { id: 44 } }, ({ id }) => ({
    id,
  })),
  draftAgentsRoute(STORY_DRAFT, draftPlaceOf),
];
