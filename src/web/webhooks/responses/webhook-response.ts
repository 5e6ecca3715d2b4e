import type { JsonObject, JsonValue } from '../../../platform/json.js';
import {
  mentions,
  type NeededValues,
  renderOptions,
  type TemplateLanguage,
  type TemplateScope,
} from '../../../language/face.js';
import { sniffJson } from '../bodies/json-body.js';
import { type WebhookResponse, makeResponse } from './response.js';
import { chosenHeaders, REDIRECTS } from '../chosen-headers.js';
import { webAddress } from '../web-address.js';

const DEFAULT_STATUS = 201;

/** Default response to a request that does not wait for its run. */
export const DEFAULT_RESPONSE = makeResponse(DEFAULT_STATUS, 'Ok');

/** The prepared response options of one webhook. */
export interface PreparedResponse {
  /** The response to every request; undefined if it depends on the request. */
  fixed: WebhookResponse | undefined;
  /** The values besides the request that its templates refer to. */
  needs: NeededValues;
  /** The options to render: `response`, `response_code` and `response_headers`. */
  parts: JsonObject;
  language: TemplateLanguage;
}

/** Prepares `response`, `response_code` and `response_headers` (spec §4.5). */
export function prepareResponse(options: JsonObject, language: TemplateLanguage): PreparedResponse {
  const parts: JsonObject = {
    response: options['response'] ?? 'Ok',
    response_code: options['response_code'] ?? null,
    response_headers: options['response_headers'] ?? null,
  };
  const fixed = holdsTemplate(parts, language) ? undefined : buildResponse(parts);
  return { fixed, needs: mentions(parts, language), parts, language };
}

/** Renders response options into a response. @throws TemplateError */
export function renderWebhookResponse(
  parts: JsonObject,
  language: TemplateLanguage,
  scope: TemplateScope,
): WebhookResponse {
  return buildResponse(renderOptions(parts, { language, scope }));
}

function holdsTemplate(value: JsonValue, language: TemplateLanguage): boolean {
  if (typeof value === 'string') return language.isTemplate(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsTemplate(item, language));
}

/** Builds the response from rendered response options (spec §4.5). */
function buildResponse(parts: JsonObject): WebhookResponse {
  const response = parts['response'] ?? '';
  const status = statusOf(parts['response_code']);
  const given = parts['response_headers'];
  // An editor's form field may give the object as text.
  const wanted = typeof given === 'string' ? sniffJson(given) : given;
  if (!REDIRECTS.has(status)) return makeResponse(status, response, chosenHeaders(wanted, status));
  const location = webAddress(response);
  if (location === undefined) {
    return makeResponse(DEFAULT_STATUS, response, chosenHeaders(wanted, DEFAULT_STATUS));
  }
  const { headers } = chosenHeaders(wanted, status);
  return makeResponse(status, '', { headers: { ...headers, location } });
}

function statusOf(code: JsonValue | undefined): number {
  const text = typeof code === 'number' ? String(code) : typeof code === 'string' ? code.trim() : '';
  const status = /^\d{3}$/.test(text) ? Number(text) : DEFAULT_STATUS;
  return status >= 200 && status <= 599 ? status : DEFAULT_STATUS;
}
