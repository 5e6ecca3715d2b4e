import Joi from 'joi';
import { component } from '../../api/openapi/component.js';
import { idSchema, responseSchema } from '../../api/response-schema.js';
import { type AnyRoute, defineRoute, RouteResponse } from '../../api/route.js';
import { idParams, type IdParams } from '../../platform/http/path-id.js';
import { LIMITS } from '../import/import-limits.js';
import { graphBody, readGraph, type ReadGraph } from './graph-body.js';
import type { Graph, GraphService } from './graph-service.js';
import { etagOf } from './stale-graph.js';

interface Services {
  graphs: GraphService;
}

const PATH = '/api/v1/stories/:id/graph';
const TAG = 'Stories';
/** Keys of the answer that clients send back, and others of stories. */
const ECHOED = ['story_id', 'version', 'name', 'guid', 'description'];
const LACKING = { draft_id: 'there are no drafts of stories' };

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
    version: Joi.number().integer().description('Incremented by every change of the story; the `ETag` too'),
    agents: Joi.array()
      .items(Joi.object().unknown(true))
      .description('Each as in an export, with `id` and `position`'),
    links: Joi.array()
      .items(Joi.object().unknown(true))
      .description('By the positions of the actions, from 0'),
    notes: Joi.array()
      .items(Joi.object().unknown(true))
      .description('Each as in an export, with `id` and `position`'),
  }),
);

function answer({ form, version }: Graph): RouteResponse {
  return new RouteResponse(form, { headers: { ETag: etagOf(version) } });
}

/** Endpoints of the whole graph of a story (spec §3.14). */
export const graphRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'Get the graph of a story',
    params: idParams,
    ignored: ['story_mode'],
    unsupported: LACKING,
    docs: {
      tag: TAG,
      operationId: 'getStoryGraph',
      description:
        'Its actions, links, notes and places, to be edited and put back. `ETag` is the version of the story.',
      response: graphResponse,
      example: { params: { id: 12 }, response: example },
      errors: [404],
    },
    handle: async ({ actor, params }, { graphs }) => answer(await graphs.get(actor, params.id)),
  }),

  defineRoute<IdParams, unknown, ReadGraph, Services>({
    method: 'put',
    path: PATH,
    summary: 'Replace the graph of a story',
    params: idParams,
    maxValues: LIMITS.values,
    prepare: readGraph,
    body: Joi.object({ agents: Joi.any(), links: Joi.any(), notes: Joi.any() }).unknown(true),
    ignored: ECHOED,
    unsupported: LACKING,
    audit: 'story.graph',
    docs: {
      tag: TAG,
      operationId: 'replaceStoryGraph',
      description:
        'All or nothing. Actions with the `id` or the `guid` of one of the story continue it: it keeps id, guid and events. The others are new, and those that the body lacks are removed. A webhook that continues keeps its address unless its options have another; a path in use is a conflict. With `If-Match: "<version>"` a story that has been changed since answers 412, with an error for each difference; without it, the graph is replaced.',
      body: graphBody,
      response: graphResponse,
      example: {
        params: { id: 12 },
        body: { agents: example.agents, links: example.links, notes: example.notes },
        response: { ...example, version: 8 },
      },
      errors: [400, 403, 404, 409, 412, 413, 415, 422],
    },
    check: ({ actor, params, body }, { graphs }) => graphs.check(actor, params.id, body as ReadGraph),
    handle: async ({ actor, params, body, request }, { graphs }) =>
      answer(await graphs.replace(actor, params.id, { read: body, ifMatch: request.ifMatch })),
  }),
];
