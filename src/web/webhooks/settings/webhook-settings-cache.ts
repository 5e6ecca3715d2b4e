import { type Cors, isGiven, readCors, readVerbs } from '../../../agents/face.js';
import type { JsonValue } from '../../../platform/json.js';
import type { AgentNode, StoryGraph } from '../../../stories/face.js';
import type { TemplateLanguage } from '../../../language/face.js';
import { readKeptHeaders } from '../kept-headers.js';
import { type PreparedResponse, prepareResponse } from '../responses/webhook-response.js';
import { createWebhookSecret, type WebhookSecret } from './webhook-secret.js';

/** The template languages; each story uses one of them. */
export type Languages = Readonly<Record<StoryGraph['language'], TemplateLanguage>>;

/** The settings of a webhook, prepared before the first request. */
export interface WebhookSettings {
  /** In capitals. */
  verbs: ReadonlySet<string>;
  /** Value of the `Allow` header. */
  allow: string;
  secret: WebhookSecret;
  includeHeaders: boolean;
  /** Events hold the body as it came too (spec §4.4). */
  keepsRawBody: boolean;
  /** Credential headers that events keep (spec §4.4). */
  keepHeaders: ReadonlySet<string>;
  response: PreparedResponse;
  /** Which pages of browsers may call it; undefined: none of other origins. */
  cors: Cors | undefined;
  /** Its own limit, whose rendered text is the JSON of `{key, count, period}`; undefined: none. */
  rateLimit: PreparedResponse | undefined;
  /** The response is the event of the story's first exit (spec §4.7). */
  awaitsRun: boolean;
}

const LAST_SCHEMA_WITHOUT_HEADERS = 2;

/** Returns a function that gives a webhook's settings, prepared once for each loaded agent. */
export function createWebhookSettingsCache(
  languages: Languages,
): (story: StoryGraph, agent: AgentNode) => WebhookSettings {
  const known = new WeakMap<AgentNode, WebhookSettings>();
  return (story, agent) => {
    const settings = known.get(agent) ?? prepareSettings(story, agent, languages);
    known.set(agent, settings);
    return settings;
  };
}

function prepareSettings(story: StoryGraph, agent: AgentNode, languages: Languages): WebhookSettings {
  const { options } = agent;
  const { rate_limit: rateLimit } = options;
  const verbs = readVerbs(options['verbs']);
  return {
    verbs: new Set(verbs),
    allow: verbs.join(', '),
    secret: createWebhookSecret(secretText(options['secret'])),
    includeHeaders: includesHeaders(story, agent),
    keepsRawBody: keepsRawBody(agent),
    keepHeaders: readKeptHeaders(options['keep_headers']),
    response: prepareResponse(options, languages[story.language]),
    cors: readCors(options),
    rateLimit: isGiven(rateLimit)
      ? prepareResponse({ response: rateLimit ?? null }, languages[story.language])
      : undefined,
    awaitsRun: awaitsRun(story, agent),
  };
}

/** Whether the webhook's events hold the request's headers beside the body (spec §4.4). */
export function includesHeaders(story: StoryGraph, { options }: AgentNode): boolean {
  return readFlag(options['include_headers']) ?? story.schemaVersion > LAST_SCHEMA_WITHOUT_HEADERS;
}

/** Whether the webhook's events hold the body as it came, for signatures. */
export function keepsRawBody({ options }: AgentNode): boolean {
  return readFlag(options['raw_body']) ?? false;
}

function secretText(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

const YES: ReadonlySet<JsonValue | undefined> = new Set([true, 1, 'true', 'yes', '1', 'on']);
const NO: ReadonlySet<JsonValue | undefined> = new Set([false, 0, 'false', 'no', '0', 'off']);

/** Returns undefined if the option is not set; booleans may be text or numbers (spec §1.1). */
function readFlag(value: JsonValue | undefined): boolean | undefined {
  const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : undefined;
}

/** A story without an exit has nothing to wait for: the configured response is sent at once. */
function awaitsRun(story: StoryGraph, agent: AgentNode): boolean {
  if (!story.synchronousWebhooksEnabled || story.responseExitGuids.size === 0) return false;
  return story.responseEntryGuids === undefined || story.responseEntryGuids.has(agent.guid);
}
