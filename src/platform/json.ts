/** Any value JSON can hold: what payloads, options and resources are made of. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether `value` is a JSON object (neither a list nor null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value that is at hand as its text only. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The value's JSON text. */
export function jsonTextOf(value: JsonValue | JsonText): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
