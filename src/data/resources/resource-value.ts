import { PayloadTooLarge, Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { isNumeric, stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** The types of a resource's value (spec §3.8). */
export const VALUE_TYPES = ['text', 'array', 'object', 'number', 'boolean'] as const;
export type ResourceValueType = (typeof VALUE_TYPES)[number];
/** The types that a request may name: `json` is any type but text. */
export type NamedType = ResourceValueType | 'json';

const MAX_VALUE_BYTES = 4 * 1024 * 1024;

export function typeOf(value: JsonValue): ResourceValueType {
  if (Array.isArray(value)) return 'array';
  if (isNumeric(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isJsonObject(value) ? 'object' : 'text';
}

/** Returns the value as text: JSON, unless it is a text. */
export function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/**
 * Converts the value to the given type: a text that is JSON of this type becomes that value, because templates give their
 * values as text. Without a type, JSON of a list or an object becomes it: answers give these as text.
 * @throws Unprocessable if the value has another type.
 */
export function asType(value: JsonValue, type: NamedType | undefined): JsonValue {
  if (type === undefined) return listOrObject(value);
  if (fits(value, type)) return value;
  if (type === 'text' && !isComposite(value)) return textOfValue(value);
  const parsed = typeof value === 'string' ? parse(value) : undefined;
  if (parsed !== undefined && parsed !== null && type !== 'text' && fits(parsed, type)) return parsed;
  throw refused(`"value" does not have the type in "value_type"`, 'value');
}

function listOrObject(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parse(value);
  return parsed !== undefined && isComposite(parsed) ? parsed : value;
}

function isComposite(value: JsonValue): boolean {
  return Array.isArray(value) || isJsonObject(value);
}

function fits(value: JsonValue, type: NamedType): boolean {
  return type === 'json' ? typeOf(value) !== 'text' : typeOf(value) === type;
}

/** @throws PayloadTooLarge for a value that is too large for a resource. */
export function requireSize(value: JsonValue): void {
  if (Buffer.byteLength(stringifyJson(value)) <= MAX_VALUE_BYTES) return;
  throw new PayloadTooLarge(`A resource can have at most ${MAX_VALUE_BYTES} bytes`);
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the error of one field. */
export function refused(message: string, details: string): Unprocessable {
  return new Unprocessable([{ message, details }]);
}
