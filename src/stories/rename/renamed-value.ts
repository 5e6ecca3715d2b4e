import { type Renaming, splicedText } from '../../language/face.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { inputValue } from '../agents/mentions/action-inputs.js';
import { textsOfJson } from './json-text-places.js';

/** The keys that lead to a text: `['options', 'fields', 0, 'text']`. */
export type Keys = readonly (string | number)[];

/** Returns the offsets in a text at which the new name takes the place of the old one. */
export type FindPlaces = (text: string, keys: Keys) => readonly number[];

/** Returns the value with the new name in its texts and keys; the same value if there is none. Keys keep their order. */
export function renamedValue(value: JsonValue, keys: Keys, find: FindPlaces, renaming: Renaming): JsonValue {
  if (typeof value === 'string') return renamedText(value, keys, find, renaming);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => renamedValue(item, [...keys, index], find, renaming));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const name = renamedText(key, [...keys, key], find, renaming);
    const renamed = renamedValue(item, [...keys, key], find, renaming);
    return [Object.hasOwn(value, name) ? key : name, renamed];
  });
  const isSame = entries.every(([key, item]) => Object.hasOwn(value, key) && value[key] === item);
  return isSame ? value : orderedObject(entries);
}

/**
 * Returns template inputs (spec §3.4) with the new name in their values: the JSON of an option, whose texts are templates,
 * or a text.
 */
export function renamedInputs(
  inputs: readonly JsonValue[],
  keys: Keys,
  find: FindPlaces,
  renaming: Renaming,
): JsonValue[] {
  return inputs.map((input, index) => {
    if (!isJsonObject(input) || input.value === undefined) return input;
    const place = [...keys, index, 'value'];
    const value =
      typeof input.value === 'string' && inputValue(input.value) !== input.value
        ? renamedJson(input.value, place, find, renaming)
        : renamedValue(input.value, place, find, renaming);
    return value === input.value ? input : withValue(input, 'value', value);
  });
}

/** Returns the object with another value of one key, at its place. */
export function withValue(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return orderedObject(Object.entries(object).map(([key, item]) => [key, key === name ? value : item]));
}

function renamedText(text: string, keys: Keys, find: FindPlaces, renaming: Renaming): string {
  const places = find(text, keys);
  return places.length === 0 ? text : splicedText(text, places, renaming);
}

function renamedJson(json: string, keys: Keys, find: FindPlaces, renaming: Renaming): string {
  const places = textsOfJson(json).flatMap(({ text, rawAt }) => find(text, keys).map(rawAt));
  return splicedText(json, places, renaming);
}
