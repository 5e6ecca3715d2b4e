import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema, type RoutePath } from '../../../api/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import { differencesSchema } from '../../diff/diff-presenter.js';
import { presentImportedStory } from '../../story/routes/story-presenter.js';
import { storyExample, storySchema } from '../../story/routes/story-schemas.js';
import { draftExample, draftSchema, presentDraft } from './draft-presenter.js';
import type { PublishedStory } from '../draft-publisher.js';
import type { DraftPlace, DraftService } from '../draft-service.js';
import {
  type MergeBody,
  mergeKeys,
  missingReasonProblems,
  type ResolveBody,
  resolveKeys,
  wishOf,
} from './merge-body.js';

interface Services {
  drafts: DraftService;
}

const ERRORS = [400, 403, 404, 409, 412, 415, 422] as const;
const warnings = Joi.array().items(Joi.string()).description('Parts that could not be taken from the draft');

const verdictSchema = component(
  'TestsVerdict',
  responseSchema({
    passed: Joi.number().integer().description('Tests that passed'),
    failed: Joi.array()
      .items(
        responseSchema({
          name: Joi.string().description('Name of the test'),
          because: Joi.array().items(Joi.string()).description('Its first differences'),
        }),
      )
      .description('Tests that failed'),
    covered: Joi.number().integer().description('Actions, links and branches of rules that tests reach'),
    all: Joi.number().integer().description('Actions, links and branches of rules'),
    removed: Joi.array()
      .items(Joi.string())
      .description('Names of tests that the story had before and has no longer'),
    changed: Joi.array()
      .items(Joi.string())
      .description('Names of tests that are written otherwise than before'),
  }),
);

/** A story in the response of its publication. */
export const publishedSchema = component(
  'PublishedStory',
  storySchema.keys({
    warnings,
    merged: differencesSchema.description(
      'Changes published by others since the draft was created; `before` is the draft’s value',
    ),
    overwritten: differencesSchema.description('Changes discarded by overwriting; absent if none'),
    tests: verdictSchema.description(
      'Results of the tests of the story; absent if it has none, and had none before',
    ),
  }),
);

const updatedSchema = component(
  'UpdatedDraft',
  draftSchema.keys({
    warnings,
    merged: differencesSchema.description('Changes taken from the live story'),
  }),
);

const example = { ...storyExample, merged: [] };

/** A published story in a response; `overwritten` is absent if nothing was. */
export function presentPublished({ merged, overwritten, tests, ...published }: PublishedStory) {
  return {
    ...presentImportedStory(published),
    merged,
    ...(overwritten.length > 0 && { overwritten }),
    ...(tests !== undefined && { tests }),
  };
}

/** A response of a publication for examples. */
export const publishedExample = example;

/** Declares the publication of the draft at a place. */
export function publishRoute<Params>(
  { path, params, example: at }: Required<RoutePath<Params>>,
  placeOf: (params: Params) => DraftPlace,
): AnyRoute<Services> {
  return defineRoute<Params, unknown, MergeBody, Services>({
    method: 'post',
    path: `${path}/publish`,
    summary: 'Publish a draft',
    params,
    body: Joi.object<MergeBody>(mergeKeys),
    audit: 'draft.publish',
    docs: {
      tag: 'Drafts',
      description:
        'Applies the draft’s changes to actions, links, notes and settings as a new version, and deletes the draft. Changes published since the draft was created are kept and listed in `merged`. 412 lists each part changed by both: resolve it with `resolve`, or with `overwrite` and a `reason`. Actions in both keep their ids, webhook URLs and waiting events. The name of the story and whether it is disabled do not change. 409 for a story under change control, and where failing tests block.',
      response: publishedSchema,
      example: { params: at, body: {}, response: example },
      errors: ERRORS,
    },
    async check({ actor, params: given, body }, { drafts }) {
      await drafts.check(actor, placeOf(given));
      return missingReasonProblems(body);
    },
    async handle({ actor, params: given, body }, { drafts }) {
      const problems = missingReasonProblems(body);
      if (problems.length > 0) throw new Unprocessable(problems);
      return presentPublished(await drafts.publish(actor, placeOf(given), wishOf(body)));
    },
  });
}

/** Declares the update of the draft at a place with what its story has changed. */
export function updateRoute<Params>(
  { path, params, example: at, operationId }: Required<RoutePath<Params>> & { operationId: string },
  placeOf: (params: Params) => DraftPlace,
): AnyRoute<Services> {
  return defineRoute<Params, unknown, ResolveBody, Services>({
    method: 'post',
    path: `${path}/update`,
    summary: 'Update a draft from the live story',
    params,
    body: Joi.object<ResolveBody>(resolveKeys),
    audit: 'draft.update',
    docs: {
      tag: 'Drafts',
      operationId,
      description:
        'Applies live changes made since the draft was created, and lists them in `merged`. 412 lists each part changed by both: resolve it with `resolve`. The actions of the draft keep their ids and webhook URLs.',
      response: updatedSchema,
      example: { params: at, body: {}, response: { ...draftExample, merged: [] } },
      errors: ERRORS,
    },
    check: ({ actor, params: given }, { drafts }) => drafts.check(actor, placeOf(given)),
    async handle({ actor, params: given, body }, { drafts }) {
      const updated = await drafts.bringUpToDate(actor, placeOf(given), wishOf(body));
      const notices = updated.warnings.length > 0 ? { warnings: updated.warnings } : {};
      return { ...presentDraft(updated.draft), merged: updated.merged, ...notices };
    },
  });
}
