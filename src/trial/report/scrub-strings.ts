import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** Returns a value as JSON has it, with each text replaced by `scrub`; keys stay. */
export function scrubStrings<Value>(value: Value, scrub: (text: string) => string): Value {
  return scrubbed(parseJson(stringifyJson(value)), scrub) as Value;
}

function scrubbed(value: JsonValue, scrub: (text: string) => string): JsonValue {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrub));
  if (!isJsonObject(value)) return value;
  return orderedObject(Object.entries(value).map(([key, item]) => [key, scrubbed(item, scrub)]));
}
