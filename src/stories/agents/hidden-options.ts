import { type Actor, canWrite } from '../../api/face.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { HIDDEN, hideInObject, hideInText, hideSecrets } from '../../platform/secrets/hidden-secrets.js';
import type { StoryRecord } from '../story/story-store.js';
import { givenAddress, WEBHOOK_TYPE } from '../import/import-address.js';
import { mergedObjects, orderedObject } from '../../platform/json/ordered-object.js';
import { inSlices, type Steps } from '../../platform/steps.js';

/** The parts of an agent that may hold secrets. */
interface OptionHolder {
  type: string;
  options: JsonObject;
  inputs?: readonly JsonValue[];
}

/**
 * Returns an agent of a story for an actor who may not start runs: without the secrets of the story's webhooks, in any
 * option. `secrets`: those of all its webhooks.
 */
export function withoutWebhookSecrets<Agent extends OptionHolder>(agent: Agent, secrets: string[]): Agent {
  return {
    ...agent,
    options: shownOptions(agent, secrets),
    ...(agent.inputs !== undefined && { inputs: shownInputs(agent.inputs, secrets) }),
  };
}

function shownInputs(inputs: readonly JsonValue[], secrets: string[]): JsonValue {
  return hideInObject({ inputs: [...inputs] }, { secrets })['inputs'] ?? [];
}

/** Returns the story without secrets unless the actor may write: its texts may hold a webhook's address. */
export function redactStory(actor: Actor, story: StoryRecord): StoryRecord {
  if (canWrite(actor, story.teamId)) return story;
  const { description, settings } = story;
  const { runbook } = settings;
  return {
    ...story,
    description: description === null ? null : hideInText(description),
    ...(typeof runbook === 'string' && { settings: { ...settings, runbook: hideInText(runbook) } }),
  };
}

/** Does the same for a story in the export form, with its embedded stories. */
export function exportWithoutSecrets(story: JsonObject): Promise<JsonObject> {
  return inSlices(hiddenExport(story));
}

/** The steps of `exportWithoutSecrets`, for threads. `secrets`: those of the webhooks of an enclosing story. */
export function* hiddenExport(
  story: JsonObject,
  secrets = secretsOf(agentsWithin(story)),
): Steps<JsonObject> {
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(story)) {
    entries.push([
      key,
      Array.isArray(value) ? yield* hiddenList(key, value, secrets) : hideSecrets(value, { secrets }),
    ]);
  }
  return orderedObject(entries);
}

function* hiddenList(key: string, list: JsonValue[], secrets: string[]): Steps<JsonValue[]> {
  const hide = key === 'agents' ? shownAgent : hideSecrets;
  const shown: JsonValue[] = [];
  for (const item of list) {
    const isStory = key === 'send_to_stories' && isJsonObject(item);
    shown.push(isStory ? yield* hiddenExport(item, secrets) : hide(item, { secrets }));
    yield;
  }
  return shown;
}

function shownAgent(item: JsonValue, { secrets }: { secrets: string[] }): JsonValue {
  if (!isHolder(item)) return hideSecrets(item, { secrets });
  // Its options are looked through once.
  const others = hideInObject(mergedObjects<JsonValue>(item, { options: {} }), { secrets });
  return mergedObjects<JsonValue>(others, { options: shownOptions(item, secrets) });
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
