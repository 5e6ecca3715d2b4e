import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';

const option = component(
  'AgentOption',
  responseSchema({
    name: Joi.string(),
    description: Joi.string(),
    required: Joi.boolean().description('Whether the option is required'),
    schema: Joi.object().unknown(true).description('JSON Schema of the rendered value'),
    default: Joi.any().description('null if none'),
    example: Joi.any().description('A valid value'),
  }),
);

const mode = component(
  'AgentMode',
  responseSchema({
    mode: Joi.string().description('The value of the option `mode`'),
    description: Joi.string(),
    emits: Joi.string().description('Emitted event'),
    options: Joi.array().items(option),
  }),
);

/** An agent type in a response. */
export const agentTypeSchema = component(
  'AgentType',
  responseSchema({
    type: Joi.string().description('Type as written in exports'),
    name: Joi.string(),
    description: Joi.string(),
    runnable: Joi.boolean().description('false if it can be stored but cannot run'),
    reason: Joi.string().allow(null).description('Why it cannot run; null if it can'),
    receives: Joi.string().allow(null).description('Input'),
    emits: Joi.string().allow(null).description('Emitted event'),
    options: Joi.array().items(option),
    modes: Joi.array().items(mode).description('Each mode has its own options'),
  }),
);

const argument = component(
  'TemplateArgument',
  responseSchema({
    name: Joi.string(),
    required: Joi.boolean().description('Whether the argument is required'),
    repeats: Joi.boolean().description('Whether it can be repeated'),
  }),
);

const example = {
  template: Joi.string().description('A text with a template'),
  result: Joi.any().description('The value, with its type'),
};

const described = {
  name: Joi.string(),
  family: Joi.string().description('Category'),
  arguments: Joi.array().items(argument).description('In order'),
  description: Joi.string().description('Description of the result'),
};

/** A function of formulas in a response. */
export const functionSchema = component(
  'TemplateFunction',
  responseSchema({
    ...described,
    example: component('FunctionExample', responseSchema(example)).description('Example call'),
  }),
);

const event = Joi.object().unknown(true).description('Event used in the example');

/** A filter of Liquid in a response. */
export const filterSchema = component(
  'TemplateFilter',
  responseSchema({
    ...described,
    example: component('FilterExample', responseSchema({ ...example, event })).description('Example'),
  }),
);
