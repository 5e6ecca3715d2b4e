import { ExactNumber, stringifyJson } from './json/exact-number.js';

/** Any JSON value: payloads, options and resources consist of these. */
export type JsonValue = string | number | ExactNumber | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Returns true if `value` is a JSON object: neither a list nor null, nor an exact number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** A JSON value of which only the text is known. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The value's JSON text. */
export function jsonTextOf(value: JsonValue | JsonText): string {
  return value instanceof JsonText ? value.text : stringifyJson(value);
}
