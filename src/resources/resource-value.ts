import { Unprocessable } from '../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { parseJson } from '../platform/json/parse-json.js';
import { ExactNumber } from '../platform/json/exact-number.js';
import { merged, orderedObject } from '../platform/json/ordered-object.js';

/** The types of a resource's value (spec §3.8). */
export type ValueType = 'text' | 'array' | 'object';

/** A place in a resource: an element of a list (negative: from the end), or a key of an object. */
export interface Place {
  index?: number | undefined;
  key?: string | undefined;
}

export function typeOf(value: JsonValue): ValueType {
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'text';
}

/**
 * Converts the value to the given type: a text that is the JSON of a list or an object becomes that list or object,
 * because templates may give their values as text.
 * @throws Unprocessable if the value has another type.
 */
export function asType(value: JsonValue, type: ValueType | 'json' | undefined): JsonValue {
  if (type === undefined || fits(value, type)) return value;
  const parsed = typeof value === 'string' ? parse(value) : undefined;
  if (parsed !== undefined && type !== 'text' && fits(parsed, type)) return parsed;
  throw refused(`"value" is not of the type that "value_type" says`, 'value');
}

function fits(value: JsonValue, type: ValueType | 'json'): boolean {
  return type === 'json' ? typeOf(value) !== 'text' : typeOf(value) === type;
}

/** Appends text to a text; one element, or the elements of a list, to a list; keys to an object. */
export function append(value: JsonValue, addition: JsonValue): JsonValue {
  if (Array.isArray(value)) return [...value, ...(Array.isArray(addition) ? addition : [addition])];
  if (isJsonObject(value)) {
    if (!isJsonObject(addition)) throw refused('"value" must be an object: the resource is one', 'value');
    return merged(value, addition);
  }
  if (typeof addition === 'object' && !(addition instanceof ExactNumber))
    throw refused('"value" must be text: the resource is one', 'value');
  return `${String(value)}${String(addition)}`;
}

/** Removes that element or key; removing a missing key changes nothing. */
export function remove(value: JsonValue, place: Place): JsonValue {
  if (Array.isArray(value)) {
    const index = elementOf(value, place);
    return value.filter((_, at) => at !== index);
  }
  const { object, key } = keyOf(value, place);
  return orderedObject(Object.entries(object).filter(([name]) => name !== key));
}

/** Replaces that element, or the value of that key. */
export function replace(value: JsonValue, place: Place, element: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.with(elementOf(value, place), element);
  const { object, key } = keyOf(value, place);
  return orderedObject([...Object.entries(object), [key, element]]);
}

function elementOf(list: JsonValue[], { index }: Place): number {
  if (index === undefined) throw refused('"index" is required: the resource is a list', 'index');
  const position = index < 0 ? list.length + index : index;
  if (position >= 0 && position < list.length) return position;
  throw refused(`"index" is ${index}, but the list has ${list.length} elements (counted from 0)`, 'index');
}

function keyOf(value: JsonValue, { key }: Place): { object: JsonObject; key: string } {
  if (!isJsonObject(value))
    throw new Unprocessable('The resource is a text: it has neither elements nor keys');
  if (key === undefined) throw refused('"key" is required: the resource is an object', 'key');
  return { object: value, key };
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function refused(message: string, details: string): Unprocessable {
  return new Unprocessable([{ message, details }]);
}
