import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema, RouteResponse } from '../../api/face.js';
import { idParams, type IdParams } from '../../platform/http/address/path-id.js';
import { draftField } from '../agents/write/agent-body.js';
import { etagOf } from '../edit/story-version.js';
import { LIMITS } from '../import/import-limits.js';
import { TEST_LIMITS } from './story-test.js';
import { type ReadTest, readTest, type StoryTestService } from './story-test-service.js';
import { storyTest } from './test-form.js';

interface Services {
  storyTests: StoryTestService;
}

interface DraftQuery {
  draft_id?: number | null;
}

interface NameQuery extends DraftQuery {
  name: string;
}

const PATH = '/api/v1/stories/:id/tests';
const TAG = 'Story tests';
const draftQuery = Joi.object<DraftQuery>({ draft_id: draftField });
const testName = Joi.string().max(TEST_LIMITS.nameLength);

/** The schema of a test in requests and responses. */
export const storyTestSchema = component('StoryTest', storyTest);

/** A test that `storyTestSchema` allows. */
export const storyTestExample = {
  name: 'A high alert opens a ticket',
  action: 'Receive alert',
  body: { severity: 'high', title: 'Disk full' },
  answers: [
    { method: 'POST', url: 'https://tickets.example.com/*', status: 201, headers: {}, answer: { id: 7 } },
  ],
  resources: { on_call: 'ann@example.com' },
  expect: {
    requests: { 'Open ticket': [{ body: { title: 'Disk full' } }] },
    mails: { 'Mail it': [] },
  },
};

const replaces = testName.description('Name of the test that it replaces; default: the one of its own name');
const testBody = component(
  'StoryTestChange',
  Joi.object({ test: storyTestSchema.required().description('The test'), replaces }),
);

const example = { params: { id: 12 }, body: { test: storyTestExample } };

/** Endpoints of the tests of a story (spec §3.20). */
export const storyTestRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, DraftQuery, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'List the tests of a story',
    params: idParams,
    query: draftQuery,
    ignored: ['story_mode'],
    docs: {
      tag: TAG,
      operationId: 'listStoryTests',
      description: 'In their order, as exports have them. `ETag` is the version of the story.',
      response: component(
        'StoryTests',
        responseSchema({ tests: Joi.array().items(storyTestSchema).description('At most 100') }),
      ),
      example: { params: example.params, response: { tests: [storyTestExample] } },
      errors: [404],
    },
    async handle({ actor, params, query }, { storyTests }) {
      const { tests, version } = await storyTests.list(actor, {
        storyId: params.id,
        draftId: query.draft_id,
      });
      return new RouteResponse({ tests }, { headers: { ETag: etagOf(version) } });
    },
  }),

  defineRoute<IdParams, DraftQuery, ReadTest, Services>({
    method: 'put',
    path: PATH,
    summary: 'Add or replace a test of a story',
    params: idParams,
    query: draftQuery,
    // A test is kept as it is written, so its own schema only checks it.
    body: Joi.object({ test: Joi.any().required(), replaces }),
    prepare: (body) => readTest(body as Parameters<typeof readTest>[0]),
    maxValues: LIMITS.values,
    honoursIfMatch: true,
    audit: 'story_test.save',
    docs: {
      tag: TAG,
      operationId: 'saveStoryTest',
      description:
        'Replaces the test that `replaces` names, or the one with the same name, and adds it otherwise. The story gets a new version.',
      body: testBody,
      response: component(
        'SavedStoryTest',
        responseSchema({
          test: storyTestSchema.description('The test'),
          added: Joi.boolean().description('Whether it replaces no other test'),
        }),
      ),
      example: { ...example, response: { test: storyTestExample, added: true } },
      errors: [400, 403, 404, 409, 412, 413, 415, 422],
    },
    auditedId: ({ actor, params, query }, { storyTests }) =>
      storyTests.draftIn(actor, { storyId: params.id, draftId: query.draft_id }),
    check: ({ actor, params, query, body }, { storyTests }) =>
      storyTests.check(actor, { storyId: params.id, draftId: query.draft_id }, body as ReadTest),
    async handle({ actor, params, query, body, request }, { storyTests }) {
      const place = { storyId: params.id, draftId: query.draft_id, ifMatch: request.ifMatch };
      const { test, isNew, version } = await storyTests.put(actor, place, body);
      return new RouteResponse({ test, added: isNew }, { headers: { ETag: etagOf(version) } });
    },
  }),

  defineRoute<IdParams, NameQuery, unknown, Services>({
    method: 'delete',
    path: PATH,
    summary: 'Delete a test of a story',
    params: idParams,
    query: Joi.object<NameQuery>({
      name: testName.required().description('Name of the test'),
      draft_id: draftField,
    }),
    status: 204,
    honoursIfMatch: true,
    audit: 'story_test.delete',
    docs: {
      tag: TAG,
      operationId: 'deleteStoryTest',
      description: 'The story gets a new version.',
      example: { params: example.params, query: { name: storyTestExample.name } },
      errors: [403, 404, 409, 412, 422],
    },
    auditedId: ({ actor, params, query }, { storyTests }) =>
      storyTests.draftIn(actor, { storyId: params.id, draftId: query.draft_id }),
    handle: ({ actor, params, query, request }, { storyTests }) =>
      storyTests.remove(
        actor,
        { storyId: params.id, draftId: query.draft_id, ifMatch: request.ifMatch },
        query.name,
      ),
  }),
];
