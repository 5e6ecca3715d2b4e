import { canWrite } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { HIDDEN, hideInObject, hideInText } from '../../platform/text/hidden-secrets.js';
import type { StoryRecord } from '../story-store.js';
import { givenAddress, WEBHOOK_TYPE } from '../import/import-address.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

/** The parts of an agent that may hold secrets. */
interface OptionHolder {
  type: string;
  options: JsonObject;
  inputs?: readonly JsonValue[];
}

/**
 * Returns agents of a story for an actor who may not start runs: without the secrets of its webhooks, in any option.
 * `webhooks`: the options of all webhooks of the story.
 */
export function withoutWebhookSecrets<Agent extends OptionHolder>(
  agents: Agent[],
  webhooks: JsonObject[],
): Agent[] {
  const secrets = webhooks.flatMap((options) => givenAddress(options).secret ?? []);
  return agents.map((agent) => ({
    ...agent,
    options: shownOptions(agent, secrets),
    ...(agent.inputs !== undefined && { inputs: shownInputs(agent.inputs, secrets) }),
  }));
}

function shownInputs(inputs: readonly JsonValue[], secrets: string[]): JsonValue {
  return hideInObject({ inputs: [...inputs] }, { secrets })['inputs'] ?? [];
}

/** Returns the story without secrets unless the actor may write: its description may hold a webhook's address. */
export function shownStory(actor: Actor, story: StoryRecord): StoryRecord {
  if (canWrite(actor, story.teamId) || story.description === null) return story;
  return { ...story, description: hideInText(story.description) };
}

/** Does the same for a story in the export form, with its embedded stories. */
export function exportWithoutSecrets(story: JsonObject): JsonObject {
  const secrets = secretsOf(agentsWithin(story));
  return hiddenExport(story, secrets);
}

function hiddenExport(story: JsonObject, secrets: string[]): JsonObject {
  return orderedObject(Object.entries(story).map(([key, value]) => [key, hiddenPart(key, value, secrets)]));
}

function hiddenPart(key: string, value: JsonValue, secrets: string[]): JsonValue {
  if (!Array.isArray(value)) return hideInObject({ value }, { secrets })['value'] ?? null;
  if (key === 'send_to_stories') {
    return value.map((item) => (isJsonObject(item) ? hiddenExport(item, secrets) : item));
  }
  if (key !== 'agents') return hideInObject({ value }, { secrets })['value'] ?? null;
  return value.map((item) => {
    if (!isJsonObject(item)) return item;
    const shown = hideInObject(item, { secrets });
    return isHolder(item) ? { ...shown, options: shownOptions(item, secrets) } : shown;
  });
}

function shownOptions({ type, options }: OptionHolder, secrets: string[]): JsonObject {
  const shown = hideInObject(options, { secrets });
  return type === WEBHOOK_TYPE && Object.hasOwn(options, 'secret') ? { ...shown, secret: HIDDEN } : shown;
}

function secretsOf(agents: OptionHolder[]): string[] {
  return agents
    .filter(({ type }) => type === WEBHOOK_TYPE)
    .flatMap(({ options }) => givenAddress(options).secret ?? []);
}

function agentsWithin({ agents, send_to_stories: inner }: JsonObject): OptionHolder[] {
  const own = (Array.isArray(agents) ? agents : []).filter(isHolder);
  const others = (Array.isArray(inner) ? inner : []).filter(isJsonObject);
  return [...own, ...others.flatMap(agentsWithin)];
}

function isHolder(value: JsonValue): value is JsonObject & OptionHolder {
  return isJsonObject(value) && typeof value['type'] === 'string' && isJsonObject(value['options']);
}
