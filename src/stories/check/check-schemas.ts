import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';

const text = Joi.string().allow('');
const count = Joi.number().integer();

const finding = component(
  'CheckFinding',
  responseSchema({
    level: Joi.string().valid('error', 'warning', 'hint').description('error: events will fail here'),
    kind: Joi.string().description('Type of the affected item'),
    message: text,
    option: text.description('Path in the options or the action'),
    line: count.allow(null).description('From 1; null for the whole option'),
    column: count.allow(null).description('From 1; null for the whole option'),
  }),
);

const action = component(
  'CheckedAction',
  responseSchema({
    position: count.description('Position in `agents`, from 0'),
    name: text,
    type: Joi.string().description('Type as written in exports'),
    mode: text.allow(null).description('The mode of a transformation'),
    state: Joi.string()
      .valid('runs', 'fails', 'disabled', 'import_only')
      .description('Its effect on this server'),
    reason: text.allow(null).description('Why it cannot run; null if it can'),
    templates: count.description('Number of texts with templates'),
    findings: Joi.array().items(finding).description('Findings'),
  }),
);

const story = component(
  'CheckedStory',
  responseSchema({
    name: text.allow(null),
    schema_version: count.description('Version of the format'),
    language: Joi.string().valid('liquid', 'formula').description('Template language'),
    links: count.description('Number of links'),
    actions: Joi.array().items(action).description('In the order of the story'),
    sub_stories: Joi.array()
      .items(Joi.object().unknown(true))
      .description('Embedded stories, in the same format'),
  }),
);

const refusal = responseSchema({
  message: text,
  details: text.allow(null).description('Path of the field; null for the whole'),
});
const names = Joi.array().items(text);

/** The report of a check. */
export const storyCheckSchema = component(
  'StoryCheck',
  responseSchema({
    ok: Joi.boolean().description('false if an import would be rejected, or an action would fail'),
    refusals: Joi.array().items(refusal).description('Why an import would be rejected'),
    warnings: names.description('Warnings for the owner'),
    story: story.allow(null).description('null if its format is invalid'),
    needs: responseSchema({
      credentials: names.description('Names'),
      resources: names.description('Names'),
      stories: names.description('Names'),
    }).description('Team items that its templates need'),
    counts: Joi.object().pattern(Joi.string(), count).description('Sums over all actions'),
  }),
);
