import { Unprocessable } from '../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';

/** What a resource holds (spec §3.8). */
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
 * The value as the type that was said with it: a text that is the JSON of a list or an object becomes that, since
 * templates may give their values as text.
 * @throws Unprocessable when it is another kind of value.
 */
export function asType(value: JsonValue, type: ValueType | undefined): JsonValue {
  if (type === undefined || typeOf(value) === type) return value;
  const parsed = typeof value === 'string' ? parse(value) : undefined;
  if (parsed !== undefined && type !== 'text' && typeOf(parsed) === type) return parsed;
  throw refused(`"value" is not of the type that "value_type" says`, 'value');
}

/** Text gets longer, a list gets the elements of a list or one element, an object gets keys. */
export function append(value: JsonValue, addition: JsonValue): JsonValue {
  if (Array.isArray(value)) return [...value, ...(Array.isArray(addition) ? addition : [addition])];
  if (isJsonObject(value)) {
    if (!isJsonObject(addition)) throw refused('"value" must be an object: the resource is one', 'value');
    return { ...value, ...addition };
  }
  if (typeof addition === 'object') throw refused('"value" must be text: the resource is one', 'value');
  return `${String(value)}${String(addition)}`;
}

/** Without that element or key; a key that is not there is no change. */
export function remove(value: JsonValue, place: Place): JsonValue {
  if (Array.isArray(value)) {
    const index = elementOf(value, place);
    return value.filter((_, at) => at !== index);
  }
  const { object, key } = keyOf(value, place);
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** With another element there, or under that key. */
export function replace(value: JsonValue, place: Place, element: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.with(elementOf(value, place), element);
  const { object, key } = keyOf(value, place);
  return { ...object, [key]: element };
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
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function refused(message: string, details: string): Unprocessable {
  return new Unprocessable([{ message, details }]);
}
