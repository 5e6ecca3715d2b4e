import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  idSchema,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { idField } from '../../platform/http/address/path-id.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { inputsField, LIMITS } from '../../stories/face.js';
import type { ManyPreviewed, PreviewBase, PreviewService } from './preview-service.js';
import type { PreviewTemplate } from './preview-values-task.js';
import { type Sample, SAMPLE_KINDS } from './sample.js';
import { SHOWN, SHOWN_TYPES } from './shown-value.js';

interface Services {
  previews: PreviewService;
}

/** The keys of both requests. */
interface BaseBody {
  type?: string;
  language?: 'liquid' | 'formula';
  story_id?: number;
  team_id?: number;
  event?: JsonObject;
  event_id?: number;
  run_guid?: string;
  action?: number | string;
  action_inputs?: JsonValue[] | null;
}

interface PreviewBody extends BaseBody {
  template?: JsonValue;
  options?: JsonObject;
}

interface ManyBody extends BaseBody {
  templates: PreviewTemplate[];
  local?: JsonObject;
  include_event: boolean;
}

/** Most templates of a request, and characters of all of them. */
const MOST_TEMPLATES = 100;
const MOST_CHARACTERS = 256 * 1024;

const baseKeys = {
  type: Joi.string().max(64).description('Action type of the options'),
  language: Joi.string()
    .valid('liquid', 'formula')
    .description('Defaults to the language of the story, or else formula'),
  story_id: idField.description('The story of the template'),
  team_id: idField.description('The team whose resources it can use, without a story'),
  event: jsonObject().description('The input of the action, keyed by upstream action'),
  event_id: idField.description('An event that the action receives, with its upstream events'),
  run_guid: Joi.string().guid().description('A past run: the input is what `action` received in it'),
  action: Joi.alternatives(Joi.number().integer().positive(), Joi.string().max(255)).description(
    'The action in the run, by id or guid; it may be one of a draft',
  ),
  action_inputs: inputsField.description('Template inputs of the action, available as `INPUT`'),
};

const previewBody = Joi.object<PreviewBody>({
  template: Joi.any().description('Text with templates, or a value containing such text'),
  options: jsonObject().description('The options of an action, instead of `template`'),
  ...baseKeys,
})
  .xor('template', 'options')
  .oxor('event', 'event_id', 'run_guid')
  .and('run_guid', 'action');

const templateField = component(
  'PreviewTemplate',
  Joi.object<PreviewTemplate>({
    key: Joi.string().max(500).required().description('Names the value in the response'),
    template: Joi.string().allow('').max(MOST_CHARACTERS).required().description('Text with templates'),
    option: Joi.array()
      .items(Joi.alternatives(Joi.number().integer().min(0), Joi.string().allow('').max(500)))
      .min(1)
      .max(50)
      .description(
        'Path of the option in an action of `type`, such as `["payload", "rows", 0]`: it is rendered as the action would. Without it, as a single template',
      ),
  }),
);

const manyBody = Joi.object<ManyBody>({
  templates: Joi.array()
    .items(templateField)
    .max(MOST_TEMPLATES)
    .required()
    .custom((templates: PreviewTemplate[], helpers) =>
      templates.reduce((sum, { template }) => sum + template.length, 0) > MOST_CHARACTERS
        ? helpers.error('templates.size')
        : templates,
    )
    .messages({ 'templates.size': `{{#label}} must have at most ${MOST_CHARACTERS} characters in all` })
    .description(
      'The templates, in the order of the options: variables that one sets are known to those after it; at most 256 Ki characters in all',
    ),
  local: jsonObject().description('The option `local` of the action, available as `LOCAL`'),
  include_event: Joi.boolean().default(false).description('true to return the input too'),
  ...baseKeys,
})
  .oxor('event', 'event_id', 'run_guid')
  .and('run_guid', 'action');

const nullable = (schema: Joi.Schema) => schema.allow(null);

const fault = {
  message: Joi.string(),
  line: nullable(Joi.number().integer()).description('From 1; null for the whole template'),
  column: nullable(Joi.number().integer()).description('From 1; null for the whole template'),
  excerpt: nullable(Joi.string().allow('')).description('The line of the template'),
};

const renderedTemplate = component(
  'RenderedTemplate',
  responseSchema({
    value: Joi.any().description('The result with its type; null on error'),
    error: component(
      'TemplateFault',
      responseSchema({
        ...fault,
        option: nullable(Joi.string()).description('Path of the option; null for a single template'),
      }).allow(null),
    ).description('null if there is none'),
  }),
);

const previewValue = component(
  'PreviewValue',
  responseSchema({
    key: Joi.string().description('The key that the request gave it'),
    value: nullable(Joi.string().allow('')).description(
      `A text, or the indented JSON of another value: at most ${SHOWN.characters} characters and ${SHOWN.lines} lines; null on error`,
    ),
    type: nullable(Joi.string().valid(...SHOWN_TYPES)).description('The type of the result; null on error'),
    size: nullable(Joi.number().integer()).description(
      'Characters of a text, items of a list or keys of an object; null otherwise',
    ),
    truncated: Joi.boolean().description('Whether the result is longer; `templates/render` returns it whole'),
    error: component('PreviewFault', responseSchema(fault).allow(null)).description('null if there is none'),
    missing: Joi.array()
      .items(
        component(
          'MissingPath',
          responseSchema({
            path: Joi.string().description('Up to the first missing step: `receive.body.nmae`'),
            line: Joi.number().integer().description('From 1'),
            column: Joi.number().integer().description('From 1; in Liquid, that of the tag'),
            guarded: Joi.boolean().description('Whether a condition or a default provides for its absence'),
          }),
        ),
      )
      .description('The paths that the input lacks, without computed ones; at most 20'),
  }),
);

const previewSample = component(
  'PreviewSample',
  responseSchema({
    kind: Joi.string()
      .valid(...SAMPLE_KINDS)
      .description(
        'given: `event`; event: `event_id`; received: by the action in the run; upstream: it received nothing, and this is what reached the nearest actions before it; own: what the webhook emitted',
      ),
    event_id: nullable(idSchema).description('null for a given event, and for the input of a run'),
    run_guid: nullable(Joi.string().guid()).description('The run of the event'),
    created_at: nullable(timeSchema).description('When the event was emitted'),
    incomplete: Joi.boolean().description('Whether a part is missing: deleted by retention, or too large'),
  }).allow(null),
);

const previewEvent = component(
  'PreviewEvent',
  responseSchema({
    value: Joi.object()
      .unknown(true)
      .description('One key for each upstream action, at most 1 Mi characters'),
    cut_texts: Joi.array().items(Joi.string()).description('Places of texts that were cut; each says so'),
    left_out: Joi.array()
      .items(
        component(
          'PreviewLeftOut',
          responseSchema({
            path: Joi.string()
              .allow('')
              .description('Place of the list or object: `receive.body.items[].tags`'),
            count: Joi.number().integer().description('The number of items or keys that were left out'),
          }),
        ),
      )
      .description('Lists and objects of which a part was left out'),
  }).allow(null),
);

const previews = component(
  'TemplatePreviews',
  responseSchema({
    language: Joi.string().valid('liquid', 'formula').description('The language of the templates'),
    sample: previewSample.description('The input of the action; null if there is none (any longer)'),
    values: Joi.array().items(previewValue).description('In the order of the request'),
    event: previewEvent.description('The input, if `include_event` is true; else null'),
  }),
);

/** Endpoints that render templates for their author (spec §3.18). */
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
    check: ({ actor, body }, { previews: service }) => service.check(actor, baseOf(body)),
    handle: ({ actor, body, request }, { previews: service }) =>
      service.render(
        actor,
        { ...baseOf(body), template: body.template, options: body.options },
        request.left(),
      ),
  }),

  defineRoute<unknown, unknown, ManyBody, Services>({
    method: 'post',
    path: '/api/v1/templates/preview',
    summary: 'Preview the values of templates',
    body: manyBody,
    maxValues: LIMITS.values,
    docs: {
      tag: 'Editors',
      operationId: 'previewTemplates',
      description:
        'Renders up to 100 templates with the same input, for an editor that shows the value under each field. Each gets its share of the time; a fault of one does not affect the others. The work ends when the client leaves. Credentials are shown as `[credential name]`; nothing is stored, sent or written to the audit log.',
      response: previews,
      example: {
        body: {
          templates: [
            { key: 'subject', template: 'Hi <<receive.body.name>>!' },
            { key: 'text', template: '=receive.body.nmae' },
          ],
          event: { receive: { body: { name: 'Ada' } } },
        },
        response: {
          language: 'formula',
          sample: { kind: 'given', event_id: null, run_guid: null, created_at: null, incomplete: false },
          values: [
            {
              key: 'subject',
              value: 'Hi Ada!',
              type: 'text',
              size: 7,
              truncated: false,
              error: null,
              missing: [],
            },
            {
              key: 'text',
              value: 'null',
              type: 'null',
              size: null,
              truncated: false,
              error: null,
              missing: [{ path: 'receive.body.nmae', line: 1, column: 2, guarded: false }],
            },
          ],
          event: null,
        },
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, body }, { previews: service }) => service.check(actor, baseOf(body)),
    async handle({ actor, body, request }, { previews: service }) {
      const { templates, local, include_event: withEvent } = body;
      const preview = { ...baseOf(body), templates, local, withEvent };
      return presentPreviews(await service.renderMany(actor, preview, request.left()));
    },
  }),
];

function baseOf(body: Usable<BaseBody>): PreviewBase {
  const { run_guid: runGuid, action } = body;
  return {
    type: body.type,
    language: body.language,
    storyId: body.story_id,
    teamId: body.team_id,
    event: body.event,
    eventId: body.event_id,
    inRun:
      runGuid === undefined || action === undefined ? undefined : { runGuid: runGuid.toLowerCase(), action },
    inputs: body.action_inputs ?? undefined,
  };
}

function presentPreviews({ language, sample, values, event }: ManyPreviewed) {
  return {
    language,
    sample: sample === undefined ? null : presentSample(sample),
    values: values.map(({ missing, ...value }) => ({
      ...value,
      missing: missing.map(({ isGuarded, ...path }) => ({ ...path, guarded: isGuarded })),
    })),
    event:
      event === undefined
        ? null
        : {
            value: parseJson(event.json),
            cut_texts: event.cutTexts,
            left_out: event.leftOut.map(([path, count]) => ({ path, count })),
          },
  };
}

function presentSample({ kind, event, incomplete }: Sample) {
  return {
    kind,
    event_id: event === undefined || event.agentId === 0 ? null : event.id,
    run_guid: event?.storyRunGuid ?? null,
    created_at: event === undefined ? null : timestamp(event.createdAt),
    incomplete,
  };
}
