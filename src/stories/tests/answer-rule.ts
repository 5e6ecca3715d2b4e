import Joi from 'joi';
import { compilePattern } from '../../language/face.js';
import { messageOf } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import type { ResponseHeaders } from '../../platform/headers/header-of.js';

/** The response to one or more requests (docs/use/command-line.md, story try). */
export interface AnswerRule {
  /** If given, it answers this action alone: by id, guid or name. Only trials on the server know actions. */
  action?: number | string;
  /** If missing, any method. */
  method?: string;
  /** `*` matches any text; the query is part of the URL. */
  url: string | { regex: string };
  /** Parts that the request's body must contain: keys of objects, elements of lists. */
  body?: JsonValue;
  /** Number of requests it answers; if missing, any number. */
  times?: number;
  /** 0: no response. */
  status: number;
  headers: ResponseHeaders;
  /** A text is sent unchanged, any other value as JSON. With status 0: the reason why there is no response. */
  answer?: JsonValue;
  base64?: string;
}

/** Most rules of one trial. To compile a pattern takes up to 15 ms. */
const MAX_RULES = 200;

const isPattern: Joi.CustomValidator<string> = (regex, helpers) => {
  // The list is refused for its length, but joi looks at its items first.
  const { path = [] } = helpers.state;
  if (path.some((part) => typeof part === 'number' && part >= MAX_RULES)) return regex;
  try {
    compilePattern(regex);
    return regex;
  } catch (error) {
    return helpers.message({ custom: '{{#label}}: {{#fault}}' }, { fault: messageOf(error) });
  }
};

const headerText = Joi.string().allow('');

/** The schema of a rule. */
export const answerRule = Joi.object<AnswerRule>({
  method: Joi.string().uppercase().description('Default: any method'),
  url: Joi.alternatives(
    Joi.string(),
    Joi.object({
      regex: Joi.string().custom(isPattern).required().description('Regular expression to find in the URL'),
    }),
  )
    .required()
    .description('URL with query; `*` matches any text'),
  body: Joi.any().description('Parts that the body must contain: keys of objects, elements of lists'),
  times: Joi.number().integer().min(1).description('Number of requests it answers; default: all'),
  status: Joi.number().integer().min(0).max(599).default(200).description('0 for no response'),
  headers: Joi.object()
    .pattern(/^set-cookie$/i, Joi.alternatives(headerText, Joi.array().items(headerText).min(1)))
    .pattern(Joi.string(), headerText)
    .default({})
    .description('Response headers'),
  answer: Joi.any().description('Response body: text unchanged, any other value as JSON'),
  base64: Joi.string().base64().description('The body as base64, instead of `answer`'),
}).oxor('answer', 'base64');

/** The schema of rules for trials on the server: one may name an action. */
export const trialRules = Joi.array()
  .items(
    answerRule.keys({
      action: Joi.alternatives(Joi.number().integer().positive(), Joi.string()).description(
        'Only answers this action: id, guid or name',
      ),
    }),
  )
  .max(MAX_RULES);
