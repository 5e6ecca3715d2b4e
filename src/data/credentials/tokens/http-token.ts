import { randomUUID } from 'node:crypto';
import { buildRequest, httpRequestAgent, readOptions, responseEvent } from '../../../agents/face.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import {
  createLanguages,
  renderOptions,
  type TemplateLanguage,
  type TemplateScope,
} from '../../../language/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import { slugOf } from '../../../platform/text/slug.js';
import type { ModeSettings } from '../modes/credential-modes.js';
import { notFetched, requestToken, type TokenOwner } from './token-request.js';

interface Step {
  options: JsonObject;
  http_request_secret?: string;
}

const NOTHING = new Map<string, never>();
const languages = createLanguages();

/**
 * Returns the token that the requests of a credential give: one, or several of which each sees the response before it as
 * `response`. `secret` stands for the secret of its request; no other credential can be named.
 * @throws AgentError and PermanentJobError as `requestToken`, without any secret.
 */
export async function httpToken(
  settings: ModeSettings,
  owner: TokenOwner & { tenantId: number },
  http: HttpClient,
): Promise<string> {
  let seen: JsonObject = {};
  for (const step of stepsOf(settings)) seen = await responseOf(step, { seen, owner, http });
  const token = locate(settings.http_request_location_of_token ?? '', seen, owner);
  if (typeof token === 'number' || (typeof token === 'string' && token !== '')) return String(token);
  throw new PermanentJobError(notFetched(owner, 'http_request_location_of_token does not refer to text'));
}

function stepsOf(settings: ModeSettings): Step[] {
  const { credential_requests: several, http_request_options: options = {}, http_request_secret } = settings;
  return several ?? [{ options, ...(http_request_secret !== undefined && { http_request_secret }) }];
}

async function responseOf(
  { options, http_request_secret: secret = '' }: Step,
  { seen, owner, http }: { seen: JsonObject; owner: TokenOwner & { tenantId: number }; http: HttpClient },
): Promise<JsonObject> {
  const request = without(owner, 'http_request_options cannot be rendered', () => {
    const rendered = renderOptions(unescaped(options), {
      language: languageOf(stringifyJson(options)),
      scope: scopeOf({ ...seen, secret }),
      valueOptions: httpRequestAgent.valueOptions ?? [],
    });
    return buildRequest(readOptions(httpRequestAgent.options, rendered) as never, contextOf(owner));
  });
  const response = responseEvent(await requestToken(http, request, owner));
  const body = response['body'];
  const keys = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : {};
  return { ...keys, ...response, [slugOf(owner.name)]: response, response };
}

function contextOf({ tenantId }: { tenantId: number }) {
  return {
    log: () => undefined,
    idempotencyKey: randomUUID(),
    signal: () => AbortSignal.timeout(60_000),
    story: { tenantId },
  };
}

function locate(location: string, seen: JsonObject, owner: TokenOwner): JsonValue {
  const written = location.replace(/^\s*\\(?=[=<])/, '').trim();
  const isTemplate = /^=|<<|\{\{|\{%/.test(written);
  const text = isTemplate ? written : `=${written}`;
  return without(owner, 'http_request_location_of_token cannot be evaluated', () =>
    languageOf(text).render(text, scopeOf(seen), { asValue: true, variables: {} }),
  );
}

/** Runs what may fail with a message that quotes a secret. */
function without<Result>(owner: TokenOwner, reason: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError) && !(error instanceof PermanentJobError)) throw error;
    throw new PermanentJobError(notFetched(owner, reason));
  }
}

/** Formulas stand in `<<…>>` or behind `=`; older credentials have Liquid. */
function languageOf(text: string): TemplateLanguage {
  return /<<|<%|^=|"=/.test(text) || !/\{\{|\{%/.test(text) ? languages.formula : languages.liquid;
}

/** Documentation escapes `<<` with a backslash, and people copy it. */
function unescaped(options: JsonObject): JsonObject {
  return parseJson(stringifyJson(options).replaceAll('\\\\<<', '<<')) as JsonObject;
}

function scopeOf(event: JsonObject): TemplateScope {
  return { event, resources: NOTHING, credentials: NOTHING, stories: NOTHING, meta: {}, storyRunGuid: '' };
}
