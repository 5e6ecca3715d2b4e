import type { JsonValue } from '../../platform/json.js';

/** Returns a JSON value with each text replaced by `scrub`; keys stay. */
export function scrubStrings<Value>(value: Value, scrub: (text: string) => string): Value {
  const text = JSON.stringify(value, (_key, item: JsonValue) =>
    typeof item === 'string' ? scrub(item) : item,
  );
  return JSON.parse(text) as Value;
}
