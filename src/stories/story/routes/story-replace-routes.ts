import Joi from 'joi';
import { defineRoute, taggedResponse } from '../../../api/face.js';
import { idField, idParams, type IdParams } from '../../../platform/http/address/path-id.js';
import { isJsonObject } from '../../../platform/json.js';
import { IMPORT_CHECKS } from '../import-checks.js';
import { etagOf } from '../../edit/story-version.js';
import { LIMITS } from '../../import/import-limits.js';
import { storyExportSchema } from '../../import/import-request.js';
import { type ReadImport, readImport } from '../../import/read-import.js';
import { presentImportedStory } from './story-presenter.js';
import { importedStory, storyExample } from './story-schemas.js';
import type { StoryService } from '../story-service.js';

interface Services {
  stories: Pick<StoryService, 'replace' | 'checkReplace'>;
}

interface ReplaceQuery {
  draft_id?: number;
}

/** The body of a replacement, read. */
interface ReadReplacement extends ReadImport {
  renames: boolean;
  description: string | undefined;
}

const MOST_DESCRIPTION = 2_000;

const body = Joi.object({
  data: storyExportSchema.required().description('The story'),
  description: Joi.string()
    .allow('', null)
    .max(MOST_DESCRIPTION)
    .description('Text of the version about the change, such as a commit'),
});

/** Gives a story the content of an export (spec §3.3). */
export const storyReplaceRoute = defineRoute<IdParams, ReplaceQuery, ReadReplacement, Services>({
  method: 'put',
  path: '/api/v1/stories/:id/export',
  summary: 'Replace a story with an export',
  params: idParams,
  query: Joi.object<ReplaceQuery>({ draft_id: idField.description('The draft instead of the story') }),
  honoursIfMatch: true,
  maxValues: LIMITS.values,
  prepare: readReplacement,
  body: Joi.object({
    data: Joi.any(),
    description: Joi.string().allow('', null).max(MOST_DESCRIPTION),
  }),
  audit: 'story.replace',
  docs: {
    tag: 'Stories',
    operationId: 'replaceStory',
    description:
      'Atomic. Gives the story the name, settings, actions, links and notes of `data`. Actions with a known guid keep their ids, webhook URLs and events. New ones get the `guid` of `data` if no action has it. With `If-Match`, the response is 412 if the story has another version; see the `ETag` of the export. 409 for a story that is locked or under change control. With `draft_id`, the draft is replaced; it keeps its name. `warnings` is absent if there are none.',
    body,
    response: importedStory,
    example: {
      params: { id: storyExample.id },
      body: {
        data: { schema_version: 3, name: 'Alert triage', agents: [], links: [] },
        description: 'Commit 4b59cac',
      },
      response: storyExample,
    },
    errors: [400, 403, 404, 409, 412, 413, 415, 422],
  },
  check: ({ actor, params, query, body: read }, { stories }) =>
    stories.checkReplace(
      actor,
      { storyId: params.id, draftId: query.draft_id },
      read as unknown as ReadReplacement,
    ),
  async handle({ actor, params, query, body: read, request }, { stories }) {
    const { story, version, warnings } = await stories.replace(actor, read, {
      place: { storyId: params.id, draftId: query.draft_id },
      renames: read.renames,
      ifMatch: request.ifMatch,
      description: read.description,
    });
    return taggedResponse(presentImportedStory({ story, warnings }), etagOf(version));
  },
});

/** Reads the body as that of an import. A story without a name leaves the present one. */
function readReplacement(given: unknown): ReadReplacement {
  const { data, description } = isJsonObject(given) ? given : {};
  const name = isJsonObject(data ?? null) ? (data as { name?: unknown }).name : undefined;
  const renames = typeof name === 'string' && name.trim() !== '';
  return {
    ...readImport({ new_name: renames ? name : 'unnamed', data }, IMPORT_CHECKS),
    renames,
    description: typeof description === 'string' && description !== '' ? description : undefined,
  };
}
