import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';

/** Yields every text and key of a value, at any depth. */
export function* textsOf(value: JsonValue | undefined): Generator<string> {
  const pending: (JsonValue | undefined)[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') yield next;
    else if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (typeof next === 'object' && next !== null) {
      yield* Object.keys(next);
      for (const item of Object.values(next)) pending.push(item);
    }
  }
}

/** Returns the value with each text and key replaced by `map`. */
export function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return orderedObject(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]));
}
