import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  cursorKey,
  defineRoute,
  pageKeys,
  type PageQuery,
  responseSchema,
} from '../../api/face.js';
import { nameField } from '../../people/face.js';
import { idField, idParams, type IdParams } from '../../platform/http/address/path-id.js';
import { presentDiff, versionDiffSchema } from '../diff/diff-presenter.js';
import type { DraftService } from '../drafts/draft-service.js';
import { LIMITS } from '../import/import-limits.js';
import { exportExample, forFilesField } from '../story/routes/story-routes.js';
import { presentVersion, versionExample, versionSchema } from './version-presenter.js';
import type { VersionNames, VersionPlace, VersionService } from './version-service.js';
import type { VersionRecord } from './version-store.js';

interface Services {
  versions: VersionService;
  drafts: Pick<DraftService, 'storyIdOf'>;
}

interface NewVersionBody extends VersionNames {
  draft_id?: number | null;
}

const PATH = '/api/v1/stories/:id/versions';
const exampleParams = { id: 12, version_id: versionExample.id };

const versionParams = Joi.object<VersionPlace>({
  id: idField.required(),
  version_id: idField.required(),
});

const nameKeys = {
  name: nameField.allow('', null),
  description: Joi.string().allow('', null).max(LIMITS.descriptionBytes, 'utf8'),
};

const ofOne = component(
  'StoryVersionAnswer',
  responseSchema({ story_version: versionSchema.description('The version') }),
);
/** Public clients read the new version here or there: both are the same. */
const newVersion = component(
  'NewStoryVersion',
  versionSchema.keys({ story_version: versionSchema.required().description('Same as the version') }),
);
const exportedVersion = component(
  'ExportedStoryVersion',
  versionSchema.keys({
    export_file: Joi.object().unknown(true).required().description('The story at that version'),
  }),
);
const restoredVersion = component(
  'RestoredStoryVersion',
  ofOne.keys({
    warnings: Joi.array().items(Joi.string()).description('Parts that could not be restored'),
  }),
);
const oneExample = { story_version: versionExample };

const routes = crudRoutes<Services, VersionRecord, IdParams, VersionPlace>({
  tag: 'Versions',
  list: { path: PATH, params: idParams, example: { id: exampleParams.id } },
  item: { path: `${PATH}/:version_id`, params: versionParams, example: exampleParams },
  response: versionSchema,
  example: versionExample,
  present: (version) => presentVersion(version),
});

interface ListQuery extends PageQuery {
  draft_id?: number;
}

interface DiffQuery {
  with?: number | 'live';
  draft_id?: number;
}

/** An empty name is none. */
function namesOf({ name, description }: VersionNames): VersionNames {
  return { name: name === '' ? null : name, description };
}

const updateRoute = (method: 'put' | 'patch' | 'post') =>
  defineRoute<VersionPlace, unknown, VersionNames, Services>({
    method,
    path: `${PATH}/:version_id`,
    summary: 'Name a version',
    params: versionParams,
    body: Joi.object<VersionNames>(nameKeys),
    audit: 'story_version.update',
    docs: {
      tag: 'Versions',
      ...(method === 'post' && { operationId: 'nameStoryVersion' }),
      description: 'Changes the given fields. Named versions are kept longer.',
      response: ofOne,
      example: { params: exampleParams, body: { name: versionExample.name }, response: oneExample },
      errors: [400, 403, 404, 409, 415, 422],
    },
    check: ({ actor, params }, { versions }) => versions.check(actor, params),
    handle: async ({ actor, params, body }, { versions }) => ({
      story_version: presentVersion(await versions.update(actor, params, namesOf(body))),
    }),
  });

/** Endpoints of a story's versions (spec §3.16). */
export const versionRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List the versions of a story, newest first',
    description:
      'Every change of a story is saved as a version; edits by one user within a minute are one version. The newest 100 unnamed and 200 named versions are kept, up to 64 MB per story.',
    plural: 'story_versions',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      ...cursorKey('id'),
      draft_id: idField.description('The versions of this draft instead of those of the story'),
    }),
    async handle({ actor, params, query, window }, { versions, drafts }) {
      const place = { storyId: params.id, draftId: query.draft_id };
      return versions.list(actor, await drafts.storyIdOf(actor, place), window);
    },
  }),

  defineRoute<IdParams, unknown, NewVersionBody, Services>({
    method: 'post',
    path: PATH,
    summary: 'Save the current state of a story as a version',
    params: idParams,
    body: Joi.object<NewVersionBody>({
      ...nameKeys,
      draft_id: idField.allow(null).description('The draft instead of the story'),
    }),
    audit: 'story_version.create',
    docs: {
      tag: 'Versions',
      description: 'If the newest version is the current state and has no name, it gets this name.',
      response: newVersion,
      example: {
        params: { id: 12 },
        body: { name: versionExample.name, description: versionExample.description },
        response: { ...versionExample, ...oneExample },
      },
      errors: [400, 403, 404, 409, 415, 422],
    },
    check: ({ actor, params }, { versions }) => versions.checkStory(actor, params.id),
    async handle({ actor, params, body }, { versions, drafts }) {
      const id = await drafts.storyIdOf(actor, { storyId: params.id, draftId: body.draft_id });
      const version = presentVersion(await versions.create(actor, id, namesOf(body)));
      return { ...version, story_version: version };
    },
  }),

  defineRoute<VersionPlace, { for_files: boolean }, unknown, Services>({
    method: 'get',
    path: `${PATH}/:version_id`,
    summary: 'Get a version with its export',
    params: versionParams,
    query: Joi.object<{ for_files: boolean }>({ for_files: forFilesField }),
    docs: {
      tag: 'Versions',
      description:
        '`export_file` is the story at that version in the export format; embedded stories are included in their current state.',
      response: component(
        'StoryVersionWithExport',
        responseSchema({ story_version: exportedVersion.description('The version') }),
      ),
      example: {
        params: exampleParams,
        response: { story_version: { ...versionExample, export_file: exportExample } },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query }, { versions }) {
      const { version, exported } = await versions.get(actor, params, query.for_files);
      return { story_version: presentVersion(version, exported) };
    },
  }),

  ...(['put', 'patch', 'post'] as const).map(updateRoute),

  routes.delete({
    summary: 'Delete a version',
    description: 'The story is unchanged.',
    audit: 'story_version.delete',
    handle: ({ actor, params }, { versions }) => versions.delete(actor, params),
  }),

  defineRoute<VersionPlace, DiffQuery, unknown, Services>({
    method: 'get',
    path: `${PATH}/:version_id/diff`,
    summary: 'Compare a version with another one, with the story, or with a draft of it',
    params: versionParams,
    query: Joi.object<DiffQuery>({
      with: Joi.alternatives(Joi.string().valid('live'), idField).description(
        'Id of a version of the same story, or `live` for its current state, which is the default',
      ),
      draft_id: idField.description('A draft of the story, instead of `with`'),
    }).oxor('with', 'draft_id'),
    docs: {
      tag: 'Versions',
      description:
        'Returns the differences to `with` or to the draft: actions, options, links, notes and settings. At most 2,000 differences are listed; `complete` is false if there are more.',
      response: versionDiffSchema,
      example: {
        params: exampleParams,
        query: { with: 'live' },
        response: {
          story_diff: [
            {
              kind: 'option',
              change: 'changed',
              action: 'Ask the owner',
              guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
              path: 'options.url',
              before: 'https://a.example',
              after: 'https://b.example',
            },
          ],
          count: 1,
          complete: true,
        },
      },
      errors: [404, 422],
    },
    handle: async ({ actor, params, query }, { versions }) =>
      presentDiff(await versions.diff(actor, params, { version: query.with, draftId: query.draft_id })),
  }),

  defineRoute<VersionPlace, unknown, unknown, Services>({
    method: 'post',
    path: `${PATH}/:version_id/restore`,
    summary: 'Restore a version',
    params: versionParams,
    audit: 'story_version.restore',
    docs: {
      tag: 'Versions',
      description:
        'Restores the version as the current state of the story, as a new version. Existing actions keep their ids and webhook URLs; deleted actions are recreated with new ids. The name of the story and whether it is disabled do not change. `warnings` is absent if there are none.',
      response: restoredVersion,
      example: {
        params: exampleParams,
        response: { story_version: { ...versionExample, number: 5, name: null, source: 'restore' } },
      },
      errors: [403, 404, 409, 422],
    },
    async handle({ actor, params }, { versions }) {
      const { version, warnings } = await versions.restore(actor, params);
      return { story_version: presentVersion(version), ...(warnings.length > 0 && { warnings }) };
    },
  }),
];
