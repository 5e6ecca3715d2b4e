import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';

const text = Joi.string().allow('');
const count = Joi.number().integer();

const finding = component(
  'CheckFinding',
  responseSchema({
    level: Joi.string().valid('error', 'warning', 'hint').description('error: an event fails there'),
    kind: Joi.string().description('The kind of thing that it is about'),
    message: text,
    option: text.description('The path in the options, or in the action'),
    line: count.allow(null).description('From 1; null: the whole option'),
    column: count.allow(null).description('From 1; null: the whole option'),
  }),
);

const action = component(
  'CheckedAction',
  responseSchema({
    position: count.description('The place in `agents`, from 0'),
    name: text,
    type: Joi.string().description('The type as exports write it'),
    mode: text.allow(null).description('The mode of a transformation'),
    state: Joi.string()
      .valid('runs', 'fails', 'disabled', 'import_only')
      .description('Its effect on this server'),
    reason: text.allow(null).description('Why it does not run; null if it does'),
    templates: count.description('The number of texts with templates'),
    findings: Joi.array().items(finding).description('Faults and doubts'),
  }),
);

const story = component(
  'CheckedStory',
  responseSchema({
    name: text.allow(null),
    schema_version: count.description('The version of the form'),
    language: Joi.string().valid('liquid', 'formula').description('The language of templates'),
    links: count.description('The number of links'),
    actions: Joi.array().items(action).description('In the order of the story'),
    sub_stories: Joi.array()
      .items(Joi.object().unknown(true))
      .description('Embedded stories, in the same form'),
  }),
);

const refusal = responseSchema({
  message: text,
  details: text.allow(null).description('The path of the field; null: the whole'),
});
const names = Joi.array().items(text);

/** The report of a check. */
export const storyCheckSchema = component(
  'StoryCheck',
  responseSchema({
    ok: Joi.boolean().description('false: an import would refuse it, or an action would fail'),
    refusals: Joi.array().items(refusal).description('Why an import would refuse it'),
    warnings: names.description('Notices for its owner'),
    story: story.allow(null).description('null: its form is not valid'),
    needs: responseSchema({
      credentials: names.description('Names'),
      resources: names.description('Names'),
      stories: names.description('Names'),
    }).description('Things of the team that its templates need'),
    counts: Joi.object().pattern(Joi.string(), count).description('Sums over all actions'),
  }),
);
