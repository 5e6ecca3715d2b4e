import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { slugOf } from '../../../platform/text/slug.js';

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

/**
 * Returns a story's keys without a column, with the inputs of these actions, by their guids, in place of the ones they had;
 * null: none.
 */
export function withActionInputs(
  extra: JsonObject,
  changes: ReadonlyMap<string, readonly JsonValue[] | null>,
): JsonObject {
  const entries = Array.isArray(extra.integrations) ? extra.integrations : [];
  const known = new Set<string>();
  const kept = entries.map((entry) => {
    const guid = isJsonObject(entry) ? entry.action_guid : undefined;
    const inputs = typeof guid === 'string' ? changes.get(guid) : undefined;
    if (inputs === undefined || typeof guid !== 'string') return entry;
    known.add(guid);
    return mergedObjects<JsonValue>(entry as JsonObject, { action_inputs: [...(inputs ?? [])] });
  });
  const added = [...changes].flatMap(([guid, inputs]): JsonObject[] => {
    if (known.has(guid) || inputs === null || inputs.length === 0) return [];
    return [{ action_guid: guid, action_options_keys: [], action_inputs: [...inputs] }];
  });
  if (known.size + added.length === 0) return extra;
  return mergedObjects<JsonValue>(extra, { integrations: [...kept, ...added] });
}
