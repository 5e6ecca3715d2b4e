import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  idSchema,
  placesOf,
  requireOwner,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { nameField } from '../../people/face.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { jsonObject } from '../../platform/validation/json-object.js';
import { typeField } from '../agents/write/agent-body.js';
import type { TemplateService } from './template-service.js';
import type { ActionTemplate, TemplateContent } from './template-store.js';

interface Services {
  templates: TemplateService;
}

interface TemplateBody {
  name?: string;
  description?: string;
  vendor?: string;
  product?: string;
  agent_type?: string;
  agent_options?: JsonObject;
  action_inputs?: JsonValue[];
}

const INPUT_TYPES = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'OBJECT', 'OPTION', 'CODE', 'CREDENTIAL'] as const;
/** Lists hold five hundred of them. */
const MOST_CHARACTERS = 32 * 1024;
const ECHOED = ['id', 'created_at', 'updated_at'];

const bounded = (value: unknown, helpers: Joi.CustomHelpers) =>
  stringifyJson(value).length > MOST_CHARACTERS ? helpers.error('json.large') : value;
const LARGE = { 'json.large': `{{#label}} must have at most ${MOST_CHARACTERS} characters as JSON` };

const input = Joi.object({
  name: nameField.required(),
  type: Joi.string()
    .valid(...INPUT_TYPES)
    .required()
    .description('The type of its value'),
  required: Joi.boolean().description('Whether it is required'),
  description: Joi.string().allow('', null).max(10_000),
  default_value: Joi.any().description('Default value'),
  data: jsonObject().allow(null).description('Details of its type: options or a JSON Schema'),
}).unknown(false);

const text = Joi.string().max(255).allow('').empty(null);
const fields = {
  name: nameField,
  description: Joi.string().max(10_000).allow('').empty(null),
  vendor: text.description('Vendor of the product'),
  product: text.description('Product'),
  agent_type: typeField.description('The kind of action: `Agents::HTTPRequestAgent`'),
  agent_options: jsonObject().custom(bounded).messages(LARGE).description('The options of the action'),
  action_inputs: Joi.array()
    .items(input)
    .max(100)
    .empty(null)
    .custom(bounded)
    .messages(LARGE)
    .description('Inputs: name, type, required, description, default_value, data'),
};

const response = component(
  'ActionTemplate',
  responseSchema({
    id: idSchema,
    name: Joi.string(),
    description: Joi.string().allow(''),
    vendor: Joi.string().allow('').description('Vendor of the product'),
    product: Joi.string().allow('').description('Product'),
    agent_type: Joi.string().description('The kind of action'),
    agent_options: jsonObject().description('The options of the action'),
    action_inputs: Joi.array().items(Joi.any()).description('Inputs'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

const exampleBody = {
  name: 'Find addresses',
  description: 'Picks the mail addresses of a text',
  vendor: 'Fabula',
  product: 'Texts',
  agent_type: 'Agents::EventTransformationAgent',
  agent_options: { mode: 'message_only', payload: { found: '{{ .text }}' } },
  action_inputs: [{ name: 'text', type: 'TEXT', required: true }],
};
const example = {
  id: 4,
  ...exampleBody,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

function present(template: ActionTemplate) {
  return {
    id: template.id,
    name: template.name,
    description: template.description,
    vendor: template.vendor,
    product: template.product,
    agent_type: template.agentType,
    agent_options: template.agentOptions,
    action_inputs: template.actionInputs ?? [],
    created_at: timestamp(template.createdAt),
    updated_at: timestamp(template.updatedAt),
  };
}

function contentOf(body: TemplateBody): Partial<TemplateContent> {
  const { name, description, vendor, product } = body;
  const { agent_type: agentType, agent_options: agentOptions, action_inputs: actionInputs } = body;
  const given = { name, description, vendor, product, agentType, agentOptions, actionInputs };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const EMPTY: Omit<TemplateContent, 'name' | 'agentType'> = {
  description: '',
  vendor: '',
  product: '',
  agentOptions: {},
  actionInputs: null,
};

const routes = crudRoutes<Services, ActionTemplate>({
  tag: 'Templates',
  ...placesOf('/api/v1/admin/templates', example.id),
  response,
  example,
  present,
});

/** Endpoints of templates of actions (spec §3.15). */
export const templateRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List action templates',
    description: 'For Owners. Oldest first. Items are under the key `admin/templates`.',
    plural: 'admin/templates',
    errors: [403, 422],
    handle: ({ actor, window }, { templates }) => templates.list(actor, window),
  }),

  routes.create<TemplateBody & { name: string; agent_type: string }>({
    summary: 'Create an action template',
    description: 'For Owners. Options are stored as they are and validated when used in an action.',
    body: Joi.object({
      ...fields,
      name: fields.name.required(),
      agent_type: fields.agent_type.required(),
    }),
    exampleBody,
    errors: [400, 403, 409, 415, 422],
    audit: 'template.create',
    ignored: ECHOED,
    check: ({ actor }) => requireOwner(actor),
    handle: ({ actor, body }, { templates }) =>
      templates.create(actor, {
        ...EMPTY,
        ...contentOf(body),
        name: body.name,
        agentType: body.agent_type,
      }),
  }),

  routes.get({
    summary: 'Get an action template',
    description: 'For Owners.',
    errors: [403, 404],
    handle: ({ actor, params }, { templates }) => templates.get(actor, params.id),
  }),

  ...routes.update<TemplateBody>({
    summary: 'Update an action template',
    description: 'For Owners. Actions created from it are unchanged.',
    body: Joi.object(fields),
    exampleBody: { vendor: 'Fabula' },
    errors: [400, 403, 404, 415, 422],
    audit: 'template.update',
    ignored: ECHOED,
    check: ({ actor, params }, { templates }) => templates.check(actor, params.id),
    handle: ({ actor, params, body }, { templates }) => templates.update(actor, params.id, contentOf(body)),
  }),

  routes.delete({
    summary: 'Delete an action template',
    description: 'For Owners. Actions created from it are unchanged.',
    audit: 'template.delete',
    handle: ({ actor, params }, { templates }) => templates.delete(actor, params.id),
  }),
];
