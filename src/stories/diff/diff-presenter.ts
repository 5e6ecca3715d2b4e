import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';
import { storyExportSchema } from '../import/import-request.js';
import type { StoryDiff } from './story-differ.js';

/** The place of a difference or a conflict in a response. */
export const placeKeys = {
  kind: Joi.string()
    .valid('action', 'option', 'link', 'note', 'test', 'setting')
    .description('The part that differs; `action`: a whole action, or its fields other than options'),
  action: Joi.string().allow('', null).description('Name of the action; null if none'),
  guid: Joi.string()
    .allow('', null)
    .description('Guid of the action or note; of a link, that of its source action; null if none'),
  path: Joi.string().allow('', null).description('Path in it, of a test after its name; null for the whole'),
};

/** One difference in a response. */
const difference = component(
  'StoryDifference',
  responseSchema({
    ...placeKeys,
    change: Joi.string().valid('added', 'removed', 'changed').description('How it differs'),
    before: Joi.any().description('null if absent'),
    after: Joi.any().description('null if absent'),
  }),
);

/** The schema of a list of differences. */
export const differencesSchema = Joi.array().items(difference);

/** The schema of `presentDiff`. */
const differenceSchema = component(
  'StoryDiff',
  responseSchema({
    story_diff: differencesSchema.description('In the order of the story'),
    count: Joi.number().integer().description('All differences, listed or not'),
    complete: Joi.boolean().description('Whether all differences are listed'),
  }),
);

/** The schema of a comparison that may be with a draft. */
export const versionDiffSchema = component(
  'VersionDiff',
  differenceSchema.keys({
    draft_export: storyExportSchema.description(
      'With `draft_id`: the draft, with the guids of the live actions that it has copied',
    ),
  }),
);

/** The differences between two states of a story, as a response. */
export function presentDiff({ differences, count, complete, draft }: StoryDiff) {
  return { story_diff: differences, count, complete, ...(draft !== undefined && { draft_export: draft }) };
}
