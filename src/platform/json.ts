/** Any JSON value: payloads, options and resources consist of these. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Returns true if `value` is a JSON object (neither a list nor null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value of which only the text is known. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The value's JSON text. */
export function jsonTextOf(value: JsonValue | JsonText): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
