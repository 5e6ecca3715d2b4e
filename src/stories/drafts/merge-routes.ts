import Joi from 'joi';
import { type AnyRoute, component, defineRoute, type RoutePath } from '../../api/face.js';
import { Unprocessable } from '../../platform/errors.js';
import { differencesSchema } from '../diff/diff-presenter.js';
import { presentImportedStory } from '../story/story-presenter.js';
import { storyExample, storySchema } from '../story/story-schemas.js';
import { draftExample, draftSchema, presentDraft } from './draft-presenter.js';
import type { PublishedStory } from './draft-publisher.js';
import type { DraftPlace, DraftService } from './draft-service.js';
import {
  type MergeBody,
  mergeKeys,
  overwriteProblems,
  type ResolveBody,
  resolveKeys,
  wishOf,
} from './merge-body.js';

interface Services {
  drafts: DraftService;
}

const ERRORS = [400, 403, 404, 409, 412, 415, 422] as const;
const warnings = Joi.array().items(Joi.string()).description('Parts that could not be as in the draft');

/** A story in the answer of its publication. */
export const publishedSchema = component(
  'PublishedStory',
  storySchema.keys({
    warnings,
    merged: differencesSchema.description(
      'What the story has from others since the draft was made; `before` is the draft’s',
    ),
    overwritten: differencesSchema.description('What an overwriting draft took away; absent: nothing'),
  }),
);

const updatedSchema = component(
  'UpdatedDraft',
  draftSchema.keys({
    warnings,
    merged: differencesSchema.description('What the draft has got from the live story'),
  }),
);

const example = { ...storyExample, merged: [] };

/** A published story in a response; `overwritten` is absent if nothing was. */
export function presentPublished({ merged, overwritten, ...published }: PublishedStory) {
  return {
    ...presentImportedStory(published),
    merged,
    ...(overwritten.length > 0 && { overwritten }),
  };
}

/** An answer of a publication for examples. */
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
        'The story gets what the draft has changed in actions, links, notes and settings in one step, as a new version, and the draft goes. What was published since the draft was made stays, and `merged` lists it. 412 names each part that both have changed: solve it with `resolve`, or with `overwrite` and a `reason`. Actions that both have keep their ids, webhook addresses and waiting events; the name of the story stays, and whether it is disabled. 409 for a story under change control.',
      response: publishedSchema,
      example: { params: at, body: {}, response: example },
      errors: ERRORS,
    },
    async check({ actor, params: given, body }, { drafts }) {
      await drafts.check(actor, placeOf(given));
      return overwriteProblems(body);
    },
    async handle({ actor, params: given, body }, { drafts }) {
      const problems = overwriteProblems(body);
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
    summary: 'Bring a draft up to date',
    params,
    body: Joi.object<ResolveBody>(resolveKeys),
    audit: 'draft.update',
    docs: {
      tag: 'Drafts',
      operationId,
      description:
        'The draft gets what the live story has changed since the draft was made, and `merged` lists it. 412 names each part that both have changed: solve it with `resolve`. The actions of the draft keep their ids and webhook addresses.',
      response: updatedSchema,
      example: { params: at, body: {}, response: { ...draftExample, merged: [] } },
      errors: ERRORS,
    },
    check: ({ actor, params: given }, { drafts }) => drafts.check(actor, placeOf(given)),
    async handle({ actor, params: given, body }, { drafts }) {
      const updated = await drafts.bringUpToDate(actor, placeOf(given), wishOf(body).choices);
      const notices = updated.warnings.length > 0 ? { warnings: updated.warnings } : {};
      return { ...presentDraft(updated.draft), merged: updated.merged, ...notices };
    },
  });
}
