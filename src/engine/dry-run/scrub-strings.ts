import type { JsonValue } from '../../platform/json.js';

/** A JSON value with every text in it as `scrub` gives it; keys stay. */
export function scrubStrings<Value>(value: Value, scrub: (text: string) => string): Value {
  const text = JSON.stringify(value, (_key, item: JsonValue) =>
    typeof item === 'string' ? scrub(item) : item,
  );
  return JSON.parse(text) as Value;
}
