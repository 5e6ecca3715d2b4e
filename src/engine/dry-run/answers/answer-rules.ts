import Joi from 'joi';
import { messageOf } from '../../../platform/errors.js';
import type { HttpRequest } from '../../../platform/outbound/http-exchange.js';
import type { ResponseHeaders } from '../../../platform/text/header-of.js';
import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { compilePattern } from '../../../language/patterns.js';
import { bodyValue } from './request-body-value.js';

/** The response to one or more requests (docs/command-line.md, story try). */
export interface AnswerRule {
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

const isPattern: Joi.CustomValidator<string> = (regex, helpers) => {
  try {
    compilePattern(regex);
    return regex;
  } catch (error) {
    return helpers.message({ custom: `{{#label}}: ${messageOf(error)}` });
  }
};

const headerText = Joi.string().allow('');

const rule = Joi.object<AnswerRule>({
  method: Joi.string().uppercase(),
  url: Joi.alternatives(
    Joi.string(),
    Joi.object({
      regex: Joi.string().custom(isPattern).required(),
    }),
  ).required(),
  body: Joi.any(),
  times: Joi.number().integer().min(1),
  status: Joi.number().integer().min(0).max(599).default(200),
  headers: Joi.object()
    .pattern(/^set-cookie$/i, Joi.alternatives(headerText, Joi.array().items(headerText).min(1)))
    .pattern(Joi.string(), headerText)
    .default({}),
  answer: Joi.any(),
  base64: Joi.string().base64(),
}).oxor('answer', 'base64');

const rules = Joi.array().items(rule).required();

/**
 * Returns the rules in a parsed JSON document.
 * @throws Error naming each invalid rule and its fault.
 */
export function parseAnswerRules(document: unknown): AnswerRule[] {
  const { error, value } = rules.validate(document, { abortEarly: false, convert: true });
  if (error === undefined) return value;
  throw new Error(`answer rules: ${error.details.map(({ message }) => message).join('; ')}`);
}

/** Returns true if the rule matches this request; ignores how often it was used. */
export function fitsRule(rule: AnswerRule, request: HttpRequest): boolean {
  if (rule.method !== undefined && rule.method !== request.method) return false;
  if (!fitsUrl(rule.url, request.url)) return false;
  return rule.body === undefined || hasBody(bodyValue(request), rule.body);
}

function fitsUrl(url: AnswerRule['url'], requested: string): boolean {
  if (typeof url !== 'string') return compilePattern(url.regex).test(requested);
  // Normalised as in the request: with a slash after the host and encoded spaces.
  return fitsStars(URL.canParse(url) ? new URL(url).href : url, requested);
}

function fitsStars(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** Returns true if the body contains `wanted`: in a text that is no JSON, anywhere in it. */
function hasBody(body: JsonValue | undefined, wanted: JsonValue): boolean {
  if (typeof body === 'string' && typeof wanted === 'string') return body.includes(wanted);
  return body !== undefined && contains(body, wanted);
}

/** Returns true if `whole` contains `part`: its elements in a list, its keys in an object. */
function contains(whole: JsonValue, part: JsonValue): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item) => whole.some((element) => contains(element, item)));
  }
  if (!isJsonObject(part)) return whole === part;
  if (!isJsonObject(whole)) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains(whole[key] ?? null, value),
  );
}
