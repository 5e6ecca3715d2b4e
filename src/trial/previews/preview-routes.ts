import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema } from '../../api/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { idField } from '../../platform/http/address/path-id.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { inputsField } from '../../stories/face.js';
import type { Preview, PreviewService } from './preview-service.js';

interface Services {
  previews: PreviewService;
}

interface PreviewBody {
  template?: JsonValue;
  options?: JsonObject;
  type?: string;
  language?: 'liquid' | 'formula';
  story_id?: number;
  team_id?: number;
  event?: JsonObject;
  event_id?: number;
  action_inputs?: JsonValue[] | null;
}

const previewBody = Joi.object<PreviewBody>({
  template: Joi.any().description('Text with templates, or a value containing such text'),
  options: jsonObject().description('The options of an action, instead of `template`'),
  type: Joi.string().max(64).description('Action type of the options'),
  language: Joi.string()
    .valid('liquid', 'formula')
    .description('Defaults to the language of the story, or else formula'),
  story_id: idField.description('The story of the template'),
  team_id: idField.description('The team whose resources it can use, without a story'),
  event: jsonObject().description('The input of the action, keyed by upstream action'),
  event_id: idField.description('An event that the action receives, with its upstream events'),
  action_inputs: inputsField.description('Template inputs of the action, available as `INPUT`'),
})
  .xor('template', 'options')
  .oxor('event', 'event_id');

const nullable = (schema: Joi.Schema) => schema.allow(null);

const renderedTemplate = component(
  'RenderedTemplate',
  responseSchema({
    value: Joi.any().description('The result with its type; null on error'),
    error: component(
      'TemplateFault',
      responseSchema({
        message: Joi.string(),
        option: nullable(Joi.string()).description('Path of the option; null for a single template'),
        line: nullable(Joi.number().integer()).description('From 1; null for the whole template'),
        column: nullable(Joi.number().integer()).description('From 1; null for the whole template'),
        excerpt: nullable(Joi.string().allow('')).description('The line of the template'),
      }).allow(null),
    ).description('null if there is none'),
  }),
);

/** Endpoint that renders templates for their author (spec §3.18). */
export const previewRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, PreviewBody, Services>({
    method: 'post',
    path: '/api/v1/templates/render',
    summary: 'Render a template',
    body: previewBody,
    audit: 'template.render',
    docs: {
      tag: 'Editors',
      operationId: 'renderTemplate',
      description:
        'Renders a template or the options of an action with the limits of a run. Credentials are shown as `[credential name]`, and nothing is stored or sent.',
      response: renderedTemplate,
      example: {
        body: { template: 'Hi <<receive.body.name>>!', event: { receive: { body: { name: 'Ada' } } } },
        response: { value: 'Hi Ada!', error: null },
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, body }, { previews }) => previews.check(actor, previewOf(body)),
    handle: ({ actor, body }, { previews }) => previews.render(actor, previewOf(body)),
  }),
];

function previewOf(body: Usable<PreviewBody>): Preview {
  const { story_id: storyId, team_id: teamId, event_id: eventId, action_inputs: inputs, ...same } = body;
  return {
    ...same,
    storyId,
    teamId,
    eventId,
    inputs: inputs ?? undefined,
  };
}
