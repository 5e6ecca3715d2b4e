import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { isEqualJson } from '../../platform/json/equal-json.js';
import { ExactNumber } from '../../platform/json/exact-number.js';
import { mergedObjects, orderedObject } from '../../platform/json/ordered-object.js';
import { refused, textOfValue } from './resource-value.js';

/** A place in a resource: an element of a list (negative: from the end), or a key of an object. */
export interface ResourcePlace {
  index?: number | undefined;
  key?: string | undefined;
}

/** A value after a change of a part, and what the response says of it. */
export interface PartChange {
  value: JsonValue;
  response: JsonValue;
}

/** Appends text to a text, number or boolean; one element, or the elements of a list, to a list; keys to an object. */
export function append(value: JsonValue, addition: JsonValue): JsonValue {
  if (Array.isArray(value)) return [...value, ...(Array.isArray(addition) ? addition : [addition])];
  if (isJsonObject(value)) {
    if (!isJsonObject(addition)) throw refused('"value" must be an object: the resource is one', 'value');
    return mergedObjects(value, addition);
  }
  if (typeof addition === 'object' && !(addition instanceof ExactNumber))
    throw refused('"value" must be text: the resource is one', 'value');
  return `${textOfValue(value)}${textOfValue(addition)}`;
}

/** Removes that element or key, and answers it; removing a missing key changes nothing and answers null. */
export function remove(value: JsonValue, place: ResourcePlace): PartChange {
  if (Array.isArray(value)) {
    const index = elementOf(value, place);
    return { value: value.filter((_, at) => at !== index), response: value[index] ?? null };
  }
  const { object, key } = keyOf(value, place);
  const rest = Object.entries(object).filter(([name]) => name !== key);
  return { value: orderedObject(rest), response: currentOf(object, key) };
}

/**
 * Replaces that element, or the value of that key, and answers the new one. With `ifValue` only if the current one is
 * equal to it; null stands for a missing key. @throws Unprocessable if it is another.
 */
export function replace(
  value: JsonValue,
  place: ResourcePlace,
  { element, ifValue }: { element: JsonValue; ifValue?: JsonValue | undefined },
): PartChange {
  if (Array.isArray(value)) {
    const index = elementOf(value, place);
    requireValue(value[index] ?? null, ifValue);
    return { value: value.with(index, element), response: element };
  }
  const { object, key } = keyOf(value, place);
  requireValue(currentOf(object, key), ifValue);
  return { value: orderedObject([...Object.entries(object), [key, element]]), response: element };
}

function currentOf(object: JsonObject, key: string): JsonValue {
  return Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}

function requireValue(current: JsonValue, wanted: JsonValue | undefined): void {
  if (wanted === undefined || isEqualJson(current, wanted)) return;
  throw refused('"if_value" does not match the current value, which has changed', 'if_value');
}

function elementOf(list: JsonValue[], { index }: ResourcePlace): number {
  if (index === undefined) throw refused('"index" is required: the resource is a list', 'index');
  const position = index < 0 ? list.length + index : index;
  if (position >= 0 && position < list.length) return position;
  throw refused(`"index" is ${index}, but the list has ${list.length} elements (counted from 0)`, 'index');
}

function keyOf(value: JsonValue, { key }: ResourcePlace): { object: JsonObject; key: string } {
  if (!isJsonObject(value)) {
    const sent = key === undefined ? 'index' : 'key';
    throw refused(`"${sent}" cannot be used: the resource is neither a list nor an object`, sent);
  }
  if (key === undefined) throw refused('"key" is required: the resource is an object', 'key');
  return { object: value, key };
}
