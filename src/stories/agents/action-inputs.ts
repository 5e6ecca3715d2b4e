import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { merged, orderedObject } from '../../platform/json/ordered-object.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { slugOf } from '../../platform/text/slug.js';

/** The inputs of each action that was made from a template, as exports keep them, by the guid of the action. */
export type ActionInputs = ReadonlyMap<string, readonly JsonValue[]>;

/** Returns the template inputs in a story's keys without a column: `integrations[].action_inputs` (spec §3.4). */
export function actionInputsIn({ integrations }: JsonObject): ActionInputs {
  const entries = Array.isArray(integrations) ? integrations.filter(isJsonObject) : [];
  return new Map(
    entries.flatMap(({ action_guid: guid, action_inputs: inputs }): [string, JsonValue[]][] =>
      typeof guid === 'string' && Array.isArray(inputs) ? [[guid, inputs]] : [],
    ),
  );
}

/**
 * Returns the options that `INPUT` stands for, by the slug of each input's name; undefined: there are none. Of two
 * inputs with one slug the first counts.
 */
export function inputOptions(inputs: readonly (JsonValue | undefined)[] | undefined): JsonObject | undefined {
  const named = (inputs ?? [])
    .filter((input) => isJsonObject(input))
    .flatMap((input): [string, JsonValue][] => {
      const slug = typeof input.name === 'string' ? slugOf(input.name) : '';
      return slug === '' ? [] : [[slug, inputValue(input.value ?? '')]];
    });
  if (named.length === 0) return undefined;
  return orderedObject([...new Map(named.toReversed())].toReversed());
}

/** The value of an input is the JSON of an option; a text that is no JSON is taken as it is. */
export function inputValue(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/** Returns a story's keys without a column, with these inputs of an action in place of the ones it had; null: none. */
export function withActionInputs(
  extra: JsonObject,
  guid: string,
  inputs: readonly JsonValue[] | null,
): JsonObject {
  const entries = Array.isArray(extra.integrations) ? extra.integrations : [];
  const isOwn = (entry: JsonValue) => isJsonObject(entry) && entry.action_guid === guid;
  const given = [...(inputs ?? [])];
  if (!entries.some(isOwn)) {
    if (given.length === 0) return extra;
    const entry = { action_guid: guid, action_options_keys: [], action_inputs: given };
    return merged<JsonValue>(extra, { integrations: [...entries, entry] });
  }
  const changed = entries.map((entry) =>
    isOwn(entry) ? merged<JsonValue>(entry as JsonObject, { action_inputs: given }) : entry,
  );
  return merged<JsonValue>(extra, { integrations: changed });
}
