import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  idSchema,
  responseSchema,
  RouteResponse,
} from '../../api/face.js';
import { idParams, type IdParams } from '../../platform/http/address/path-id.js';
import type { JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { draftField } from '../agents/write/agent-body.js';
import { LIMITS } from '../import/import-limits.js';
import { graphBody, readGraph, type ReadGraph, storedParts } from './graph-body.js';
import type { Graph, GraphService } from './graph-service.js';
import { etagOf } from '../edit/story-version.js';

interface Services {
  graphs: GraphService;
}

interface DraftQuery {
  draft_id?: number | null;
}

const draftQuery = Joi.object<DraftQuery>({ draft_id: draftField });
const PATH = '/api/v1/stories/:id/graph';
const TAG = 'Stories';
/** Keys of the response that clients send back, and others of stories. */
const ECHOED = ['story_id', 'name', 'guid', 'description', 'warnings'];

const example = {
  story_id: 12,
  version: 7,
  agents: [
    {
      id: 30,
      type: 'Agents::WebhookAgent',
      name: 'Receive alert',
      disabled: false,
      guid: 'c0ffee00c0ffee00c0ffee00c0ffee00',
      options: { path: 'alerts', secret: '0123456789abcdef0123456789abcdef', verbs: 'post' },
      keep_events_for: 0,
      position: { x: 0, y: 0 },
    },
    {
      id: 31,
      type: 'Agents::EventTransformationAgent',
      name: 'Pick the host',
      disabled: false,
      guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
      options: { mode: 'message_only', payload: { host: '{{ .receive_alert.body.host }}' } },
      keep_events_for: 0,
      position: { x: 30, y: 150 },
    },
  ],
  links: [{ source: 0, receiver: 1 }],
  notes: [{ id: 5, content: '# Alert triage', position: { x: 30, y: -60 } }],
};

const graphResponse = component(
  'StoryGraph',
  responseSchema({
    story_id: idSchema.description('The story'),
    version: Joi.number().integer().description('Incremented by every change of the story; also the `ETag`'),
    agents: Joi.array()
      .items(storedParts.action)
      .description('Its actions, as in an export, with `id` and `position`'),
    links: Joi.array().items(storedParts.link).description('By the positions of the actions, from 0'),
    notes: Joi.array()
      .items(storedParts.note)
      .description('Its notes, as in an export, with `id` and `position`'),
  }).keys({
    warnings: Joi.array()
      .items(Joi.string())
      .description('Returned by writes: parts that cannot work or have no effect; absent if none'),
  }),
);

function response({ form, version, warnings = [] }: Graph): RouteResponse {
  const shown = warnings.length === 0 ? form : mergedObjects<JsonValue>(form, { warnings });
  return new RouteResponse(shown, { headers: { ETag: etagOf(version) } });
}

/** Endpoints of the whole graph of a story (spec §3.14). */
export const graphRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, DraftQuery, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'Get the graph of a story',
    params: idParams,
    query: draftQuery,
    ignored: ['story_mode'],
    docs: {
      tag: TAG,
      operationId: 'getStoryGraph',
      description:
        'Its actions, links, notes and positions, for editing and writing back. `ETag` is the version of the story. With `draft_id`, returns the graph of the draft.',
      response: graphResponse,
      example: { params: { id: 12 }, response: example },
      errors: [404],
    },
    handle: async ({ actor, params, query }, { graphs }) =>
      response(await graphs.get(actor, { storyId: params.id, draftId: query.draft_id })),
  }),

  defineRoute<IdParams, DraftQuery, ReadGraph, Services>({
    method: 'put',
    path: PATH,
    summary: 'Replace the graph of a story',
    params: idParams,
    query: draftQuery,
    honoursIfMatch: true,
    maxValues: LIMITS.values,
    prepare: readGraph,
    body: Joi.object({ agents: Joi.any(), links: Joi.any(), notes: Joi.any() }).unknown(true),
    ignored: ECHOED,
    audit: 'story.graph',
    docs: {
      tag: TAG,
      operationId: 'replaceStoryGraph',
      description:
        'Atomic. Actions with the `id` or `guid` of an existing action update it and keep its id, guid and events. Other actions are created, with the `guid` of the body if no action has it, and actions missing from the body are deleted. An existing webhook keeps its URL unless its options change it; a path already in use is a conflict. With `If-Match: "<version>"`, or `version` in the body, the response is 412 with an error for each difference if the story has changed since. Otherwise, and with `If-Match: *`, the graph is replaced.',
      body: graphBody,
      response: graphResponse,
      example: {
        params: { id: 12 },
        body: { agents: example.agents, links: example.links, notes: example.notes, version: 7 },
        response: { ...example, version: 8 },
      },
      errors: [400, 403, 404, 409, 412, 413, 415, 422],
    },
    auditedId: ({ actor, params, query }, { graphs }) =>
      graphs.draftIn(actor, { storyId: params.id, draftId: query.draft_id }),
    check: ({ actor, params, query, body }, { graphs }) =>
      graphs.check(actor, { storyId: params.id, draftId: query.draft_id }, body as ReadGraph),
    handle: async ({ actor, params, query, body, request }, { graphs }) =>
      response(
        await graphs.replace(
          actor,
          { storyId: params.id, draftId: query.draft_id },
          { read: body, ifMatch: request.ifMatch },
        ),
      ),
  }),
];
