import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema } from '../../../api/face.js';
import { idField, idParams, type IdParams } from '../../../platform/http/address/path-id.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import {
  LIMITS,
  type StoryTestService,
  storyTestExample,
  storyTestSchema,
  TEST_KINDS,
  TEST_LIMITS,
  trialRules,
} from '../../../stories/face.js';
import type { KeepRunService } from '../keep/keep-run-service.js';
import type { TestRunService } from './test-run-service.js';

interface Services {
  storyTestRuns: TestRunService;
  runKeeping: KeepRunService;
  storyTests: Pick<StoryTestService, 'put'>;
}

interface KeepBody {
  run_guid?: string;
  event?: JsonObject;
  action?: number | string;
  responses?: JsonValue;
  name: string;
  description?: string;
  save: boolean;
  draft_id?: number | null;
}

interface RunBody {
  names?: string[];
  tests?: JsonValue;
  draft_id?: number | null;
}

const TAG = 'Story tests';

const runKeys = {
  names: Joi.array().items(Joi.string()).max(100).description('Names of the tests to run; default: all'),
  draft_id: idField.allow(null).description('Tests this draft instead of the story'),
};
const runBody = component(
  'StoryTestRun',
  Joi.object({
    ...runKeys,
    tests: Joi.array()
      .items(storyTestSchema)
      .max(100)
      .description('Tests to run instead of those of the story; not saved'),
  }),
);

const difference = component(
  'StoryTestDifference',
  responseSchema({
    kind: Joi.string()
      .valid(...TEST_KINDS)
      .description('Kind of the thing that the action does differently'),
    action: Joi.string().allow('').description('Name of the action'),
    index: Joi.number()
      .integer()
      .allow(null)
      .description('Position in the list of the action, from 0; null: the length of the list differs'),
    path: Joi.string().allow('').description('Path in the item; empty for the whole'),
    expected: Joi.any().description('A value or a matcher; of a list its length; null if omitted'),
    found: Joi.any().description('null if there is none, or omitted'),
    instead: Joi.any()
      .optional()
      .description(
        'Value that a test expects here once it takes what was found: the value, or the whole list. Absent if it is too large',
      ),
    cause: Joi.string()
      .allow(null)
      .description('Why the action did nothing or too much, such as `"Ask" failed: 404`; null if not known'),
    text: Joi.string().description('The sentence for people'),
  }),
);

const result = component(
  'StoryTestResult',
  responseSchema({
    name: Joi.string().description('Name of the test'),
    ok: Joi.boolean().description('Whether there are neither differences nor problems'),
    took_ms: Joi.number().integer().description('Duration in milliseconds'),
    differences: Joi.array().items(difference).description('At most 100'),
    problems: Joi.array()
      .items(Joi.string())
      .description('Why the run could not go as on a server, such as a request without an answer'),
  }),
);

const actionKeys = {
  name: Joi.string().allow('').description('Display name'),
  guid: Joi.string().allow(null).description('Guid in exports; null if none'),
};
const coveredAction = component('CoveredAction', responseSchema(actionKeys));
const covered = Joi.boolean().description('Whether a test reaches it');

const coverage = component(
  'StoryTestCoverage',
  responseSchema({
    actions: Joi.array()
      .items(responseSchema({ ...actionKeys, covered }))
      .description('All actions'),
    links: Joi.array()
      .items(
        responseSchema({
          source: coveredAction.description('The action that the link leaves'),
          receiver: coveredAction.description('The action that the link leads to'),
          kind: Joi.string().valid('normal', 'secondary', 'failure').description('The output that it uses'),
          covered,
        }),
      )
      .description('All links'),
    rules: Joi.array()
      .items(
        responseSchema({
          action: coveredAction.description('The trigger'),
          rule: Joi.number().integer().description('Position in its rules, from 0'),
          holds: Joi.boolean().description('Whether it holds in a test'),
          fails: Joi.boolean().description('Whether it does not hold in a test'),
        }),
      )
      .description('The rules of triggers'),
    covered: Joi.number().integer().description('Number of covered parts'),
    all: Joi.number().integer().description('Number of actions, links, and branches of rules'),
  }),
);

const keepBody = component(
  'KeptStoryRun',
  Joi.object<KeepBody>({
    run_guid: Joi.string().guid().description('A past run of the story'),
    event: Joi.object().unknown(true).description('Instead of a run: the event that a trial begins with'),
    action: Joi.alternatives(Joi.number().integer().positive(), Joi.string()).description(
      'Action that the event begins at: id, guid or name; default: where a manual run starts',
    ),
    responses: trialRules.description(
      'Responses to HTTP requests, first match wins; other requests get those of the run',
    ),
    name: Joi.string().max(TEST_LIMITS.nameLength).required().description('Name of the test'),
    description: Joi.string().max(TEST_LIMITS.descriptionLength).description('Purpose of the test'),
    save: Joi.boolean().default(false).description('Adds the test to the story'),
    draft_id: idField.allow(null).description('Runs and saves in this draft instead of the story'),
  })
    .xor('run_guid', 'event')
    .with('action', 'event'),
);

const hook = { name: 'Receive alert', guid: 'c0ffee00c0ffee00c0ffee00c0ffee00' };

/** Endpoints that run tests of a story, and that make them of runs (spec §3.20). */
export const testRunRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, RunBody, Services>({
    method: 'post',
    path: '/api/v1/stories/:id/tests/run',
    summary: 'Run the tests of a story',
    params: idParams,
    // Tests are compared as they are written, so their own schema only checks them.
    body: Joi.object<RunBody>({ ...runKeys, tests: Joi.any() }),
    maxValues: LIMITS.values,
    audit: 'story_test.run',
    docs: {
      tag: TAG,
      operationId: 'runStoryTests',
      description:
        'Runs tests in memory: nothing is sent or stored. Stories that it calls are included as far as the key can access them. At most 8 seconds per test and 60 for all.',
      body: runBody,
      response: component(
        'StoryTestReport',
        responseSchema({
          ok: Joi.boolean().description('Whether all tests passed'),
          results: Joi.array().items(result).description('In the order of the tests'),
          coverage: coverage.description('The parts of the story that these tests reach'),
        }),
      ),
      example: {
        params: { id: 12 },
        body: { names: [storyTestExample.name] },
        response: {
          ok: false,
          results: [
            {
              name: storyTestExample.name,
              ok: false,
              took_ms: 6,
              differences: [
                {
                  kind: 'requests',
                  action: 'Open ticket',
                  index: 0,
                  path: 'body.title',
                  expected: 'Disk full',
                  found: 'Disk',
                  instead: 'Disk',
                  cause: null,
                  text: 'Open ticket, request 1, body.title: expected "Disk full", found "Disk"',
                },
              ],
              problems: [],
            },
          ],
          coverage: { actions: [{ ...hook, covered: true }], links: [], rules: [], covered: 1, all: 1 },
        },
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body }, { storyTestRuns }) =>
      storyTestRuns.check(actor, { storyId: params.id, draftId: body.draft_id }),
    handle: ({ actor, params, body, request }, { storyTestRuns }) =>
      storyTestRuns.run(
        actor,
        { storyId: params.id, draftId: body.draft_id, names: body.names, tests: body.tests },
        request.left(),
      ),
  }),

  defineRoute<IdParams, unknown, KeepBody, Services>({
    method: 'post',
    path: '/api/v1/stories/:id/tests/from_run',
    summary: 'Make a test of a past run or a trial',
    params: idParams,
    body: keepBody,
    audit: 'story_test.keep',
    docs: {
      tag: TAG,
      operationId: 'keepStoryRun',
      description:
        'The test begins as the run or the trial did, answers with its responses and the current resources, and expects what the story does with these. Values that differ in every run, such as times, become matchers. The test passes when it is returned; if it cannot, the response is 422 with the reasons.',
      response: component(
        'KeptStoryTest',
        responseSchema({
          test: storyTestSchema.description('The test'),
          saved: Joi.boolean().description('Whether the story has it now'),
        }),
      ),
      example: {
        params: { id: 12 },
        body: { run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57', name: storyTestExample.name, save: true },
        response: { test: storyTestExample, saved: true },
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params, body }, { runKeeping }) =>
      runKeeping.check(actor, { storyId: params.id, draftId: body.draft_id }),
    async handle({ actor, params, body, request }, { runKeeping, storyTests }) {
      const place = { storyId: params.id, draftId: body.draft_id };
      const { run_guid: runGuid, event, action, responses = [], name, description, save } = body;
      const begun = { runGuid, event, action, rules: stringifyJson(responses) };
      const test = await runKeeping.keep(actor, { ...place, ...begun, name, description }, request.left());
      if (save) await storyTests.put(actor, place, { test, isOnlyNew: true, problems: [] });
      return { test, saved: save };
    },
  }),
];
