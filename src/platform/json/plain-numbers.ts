import { isJsonObject, type JsonValue } from '../json.js';
import { ExactNumber, plainNotation } from './exact-number.js';
import { orderedObject } from './ordered-object.js';

/** Returns the value with each exact number in the one notation of its value; keys keep their order. */
export function withPlainNumbers(value: JsonValue): JsonValue {
  if (value instanceof ExactNumber) return plainNotation(value);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (!isJsonObject(value)) return value;
  return orderedObject(Object.entries(value).map(([key, one]) => [key, withPlainNumbers(one)]));
}
