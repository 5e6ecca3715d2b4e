import Joi from 'joi';
import { type AnyRoute, defineRoute, taggedResponse } from '../../../api/face.js';
import { idField, idParams, type IdParams } from '../../../platform/http/address/path-id.js';
import type { DraftService } from '../../drafts/draft-service.js';
import { presentImportedStory } from './story-presenter.js';
import { LIMITS } from '../../import/import-limits.js';
import { importBody, storyExportSchema } from '../../import/import-request.js';
import { type ReadImport, readImport } from '../../import/read-import.js';
import { etagOf } from '../../edit/story-version.js';
import { IMPORT_CHECKS } from '../import-checks.js';
import { storyCreateRoutes } from './story-create-routes.js';
import { storyListRoute } from '../../list/story-list-routes.js';
import { storyReplaceRoute } from './story-replace-routes.js';
import { importedStory, storyExample } from './story-schemas.js';
import type { StoryService } from '../story-service.js';

interface ExportQuery {
  randomize_urls: boolean;
  clear_recipients: boolean;
  draft_id?: number;
  for_files: boolean;
}

interface Services {
  drafts: Pick<DraftService, 'storyIdOf'>;
  stories: Pick<
    StoryService,
    | 'importRead'
    | 'checkImport'
    | 'list'
    | 'listPage'
    | 'listsAsObject'
    | 'create'
    | 'checkCreate'
    | 'deleteMany'
    | 'checkDeleteMany'
    | 'exportWithVersion'
    | 'replace'
    | 'checkReplace'
  >;
}

/** A parameter of exports. */
export const forFilesField = Joi.boolean()
  .default(false)
  .description(
    'The form that files in a repository have: with the guids that the story and its actions were imported with',
  );

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

/** Endpoints of stories (spec §3). */
export const storyRoutes: AnyRoute<Services>[] = [
  storyListRoute,
  ...storyCreateRoutes,

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
      draft_name: Joi.any(),
    }).unknown(true),
    audit: 'story.import',
    docs: {
      tag: 'Stories',
      operationId: 'importStory',
      description:
        'Atomic. `new_name` and `data`, a story in the export format, are required. `team_id` defaults to the team of the key, or else the user’s first team. `mode` is `new`, or `versionReplace` to replace the newest story with that name. With `draft_name`, the story is unchanged: the export becomes a new draft of the newest story with that name, and the response has its `draft_id`; `new_name` then defaults to the name in `data`. `warnings` is absent if there are none.',
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

  defineRoute<IdParams, ExportQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories/:id/export',
    summary: 'Export a story',
    params: idParams,
    query: Joi.object<ExportQuery>({
      randomize_urls: Joi.boolean().default(false).description('Generates new webhook paths and secrets'),
      clear_recipients: Joi.boolean().default(false).description('Omits the recipients of failure notices'),
      draft_id: idField.description('The draft instead of the story'),
      for_files: forFilesField,
    }),
    docs: {
      tag: 'Stories',
      operationId: 'exportStory',
      description:
        'Returns the story in the export format for import. It contains the secrets of its webhooks. `ETag` is the version of the story.',
      response: storyExportSchema,
      example: { params: { id: 12 }, response: exportExample },
      errors: [404, 422],
    },
    async handle({ actor, params, query }, { stories, drafts }) {
      const id = await drafts.storyIdOf(actor, { storyId: params.id, draftId: query.draft_id });
      const { form, version } = await stories.exportWithVersion(actor, id, {
        randomizeUrls: query.randomize_urls,
        clearRecipients: query.clear_recipients,
        forFiles: query.for_files,
      });
      return taggedResponse(form, etagOf(version));
    },
  }),

  storyReplaceRoute,
];

/** Reads the body of an import with them. */
function readImportHere(body: unknown): ReadImport {
  return readImport(body, IMPORT_CHECKS);
}
