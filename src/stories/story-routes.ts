import Joi from 'joi';
import { component } from '../api/openapi/component.js';
import { responseSchema, idSchema, timeSchema } from '../api/response-schema.js';
import { pageLinks } from '../api/page-meta.js';
import { idField, idParams, type IdParams } from '../platform/http/path-id.js';
import { type AnyRoute, defineRoute, RouteResponse } from '../api/route.js';
import { presentImportedStory, presentListedStory } from './story-presenter.js';
import { LIMITS } from './import/import-limits.js';
import { importBody, storyExportSchema } from './import/import-request.js';
import type { ReadImport } from './import/read-import.js';
import { readImportHere } from './import/read-import-here.js';
import type { StoryService } from './story-service.js';

interface Services {
  stories: Pick<StoryService, 'importRead' | 'checkImport' | 'list' | 'export'>;
}

interface ListQuery {
  team_id?: number;
  folder_id?: number;
  search?: string;
  per_page?: number;
  page?: number;
}

const DEFAULT_PER_PAGE = 20;

const listQuery = Joi.object<ListQuery>({
  team_id: idField,
  folder_id: idField,
  search: Joi.string().allow('').max(255),
  per_page: Joi.number().integer().min(1).max(500),
  page: Joi.number().integer().min(1).max(1_000_000_000),
});

const listedKeys = {
  id: idSchema,
  name: Joi.string().allow(''),
  user_id: idSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  description: Joi.string().allow(''),
  guid: Joi.string().hex().length(32),
};

/** The keys of a response with a whole story (spec §3.1). */
export const storyKeys = {
  ...listedKeys,
  keep_events_for: Joi.number().integer(),
  disabled: Joi.boolean(),
  priority: Joi.boolean().description('Whether its events go before those of other stories'),
  team_id: idSchema,
  folder_id: idSchema.allow(null),
};

const listedStory = component('ListedStory', responseSchema(listedKeys));
const importedStory = component(
  'ImportedStory',
  responseSchema(storyKeys).keys({
    warnings: Joi.array()
      .items(Joi.string())
      .description('What may not work as it did where the story comes from; absent without any'),
  }),
);

const listedExample = {
  id: 12,
  name: 'Alert triage',
  user_id: 3,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
  description: 'Sorts the alerts of the night',
  guid: '4f0d9f2c8a6b4f21a0d3c5e7b9182736',
};

/** A whole story, for examples. */
export const storyExample = {
  ...listedExample,
  keep_events_for: 604_800,
  disabled: false,
  priority: false,
  team_id: 2,
  folder_id: null,
};

/** A story in the export form, for examples. */
export const exportExample = {
  schema_version: 3,
  name: 'Alert triage',
  description: 'Sorts the alerts of the night',
  guid: '4f0d9f2c8a6b4f21a0d3c5e7b9182736',
  agents: [
    {
      type: 'Agents::WebhookAgent',
      name: 'Receive alert',
      disabled: false,
      guid: 'c0ffee00c0ffee00c0ffee00c0ffee00',
      options: { path: 'alerts', secret: '0123456789abcdef0123456789abcdef', verbs: 'post' },
      keep_events_for: 0,
    },
  ],
  links: [],
  exported_at: '2026-11-21T09:30:00Z',
};

/** The list has pages only if one of the two parameters is given. */
function pageOf({ per_page, page }: ListQuery): { number: number; size: number } | undefined {
  if (per_page === undefined && page === undefined) return undefined;
  return { number: page ?? 1, size: per_page ?? DEFAULT_PER_PAGE };
}

/** Endpoints of stories (spec §3). */
export const storyRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories',
    summary: 'List stories, newest first',
    query: listQuery,
    docs: {
      tag: 'Stories',
      description:
        'Every story that the key may see, as an array without an envelope. With `per_page` or `page` the array is that page, and the headers `Link` and `X-Total-Count` are sent.',
      response: Joi.array().items(listedStory),
      example: { query: { per_page: 20 }, response: [listedExample] },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { stories }) {
      const { team_id: teamId, folder_id: folderId, search } = query;
      const page = pageOf(query);
      const list = await stories.list(actor, { teamId, folderId, search, page });
      const body = list.stories.map(presentListedStory);
      if (page === undefined) return body;
      const headers = {
        'X-Total-Count': String(list.total),
        Link: pageLinks(request, page, list.total),
      };
      return new RouteResponse(body, { headers });
    },
  }),

  defineRoute<unknown, unknown, ReadImport, Services>({
    method: 'post',
    path: '/api/v1/stories/import',
    summary: 'Import a story',
    maxValues: LIMITS.values,
    // The command line checks the whole body with the same function and gives the same messages.
    prepare: readImportHere,
    body: Joi.object({
      new_name: Joi.any(),
      data: Joi.any(),
      team_id: Joi.any(),
      folder_id: Joi.any(),
      mode: Joi.any(),
    }).unknown(true),
    audit: 'story.import',
    docs: {
      tag: 'Stories',
      operationId: 'importStory',
      description:
        'All or nothing. `new_name` and `data`, a story in the export form, are required. Without `team_id` the story is imported into the team of the key, else into the user’s first one. `mode` is `new`, or `versionReplace` to replace the newest story of that name. `warnings` is absent if there are none.',
      body: importBody,
      response: importedStory,
      example: {
        body: { new_name: 'Alert triage', data: exportExample, team_id: 2 },
        response: storyExample,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, body }, { stories }) => stories.checkImport(actor, body as ReadImport),
    async handle({ actor, body }, { stories }) {
      return presentImportedStory(await stories.importRead(actor, body));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories/:id/export',
    summary: 'Export a story',
    params: idParams,
    docs: {
      tag: 'Stories',
      operationId: 'exportStory',
      description:
        'Returns the story in the export form, which an import accepts. It holds the secrets of its webhooks.',
      response: storyExportSchema,
      example: { params: { id: 12 }, response: exportExample },
      errors: [404],
    },
    handle({ actor, params }, { stories }) {
      return stories.export(actor, params.id);
    },
  }),
];
