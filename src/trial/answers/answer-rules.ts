import Joi from 'joi';
import type { HttpRequest } from '../../platform/outbound/http-exchange.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { compilePattern } from '../../language/face.js';
import { type AnswerRule, answerRule } from '../../stories/face.js';
import { bodyValue } from './request-body-value.js';

const rules = Joi.array().items(answerRule).required();

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
