import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';

const option = component(
  'AgentOption',
  responseSchema({
    name: Joi.string(),
    description: Joi.string(),
    required: Joi.boolean().description('Whether the option must be given'),
    schema: Joi.object()
      .unknown(true)
      .description('JSON Schema of the value after its templates are rendered'),
    default: Joi.any().description('null: none'),
    example: Joi.any().description('A value that the checks accept'),
  }),
);

const mode = component(
  'AgentMode',
  responseSchema({
    mode: Joi.string().description('The value of the option `mode`'),
    description: Joi.string(),
    emits: Joi.string().description('The event that it emits'),
    options: Joi.array().items(option),
  }),
);

/** An agent type in a response. */
export const agentTypeSchema = component(
  'AgentType',
  responseSchema({
    type: Joi.string().description('The type as exports write it'),
    name: Joi.string(),
    description: Joi.string(),
    runnable: Joi.boolean().description('false: it can be stored and does not run'),
    reason: Joi.string().allow(null).description('Why it does not run; null if it does'),
    receives: Joi.string().allow(null).description('The input that it receives'),
    emits: Joi.string().allow(null).description('The event that it emits'),
    options: Joi.array().items(option),
    modes: Joi.array().items(mode).description('Each mode has options of its own'),
  }),
);

const argument = component(
  'TemplateArgument',
  responseSchema({
    name: Joi.string(),
    required: Joi.boolean().description('Whether the argument must be given'),
    repeats: Joi.boolean().description('It may stand several times'),
  }),
);

const example = {
  template: Joi.string().description('A text with a template'),
  result: Joi.any().description('The value, with its type'),
};

const described = {
  name: Joi.string(),
  family: Joi.string().description('The group that it is shown in'),
  arguments: Joi.array().items(argument).description('In their order'),
  description: Joi.string().description('The result, as part of a sentence'),
};

/** A function of formulas in a response. */
export const functionSchema = component(
  'TemplateFunction',
  responseSchema({
    ...described,
    example: component('FunctionExample', responseSchema(example)).description('A call of it'),
  }),
);

const event = Joi.object().unknown(true).description('The event that the example refers to');

/** A filter of Liquid in a response. */
export const filterSchema = component(
  'TemplateFilter',
  responseSchema({
    ...described,
    example: component('FilterExample', responseSchema({ ...example, event })).description('A use of it'),
  }),
);
