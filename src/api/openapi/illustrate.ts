import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { fieldWords } from './field-words.js';
import { referredName } from './schema-fields.js';

/** Longer examples are shown with the whole request or response only. */
const MAX_EXAMPLE = 200;

/**
 * Adds to each field of a schema, also of those that it refers to, what it means unless it says so, and its value in
 * `example`. Writes into the schemas.
 */
export function illustrate(schema: JsonObject, example: unknown, schemas: Record<string, JsonObject>): void {
  const target = targetOf(schema, schemas);
  for (const part of partsOf(target)) illustrate(part, example, schemas);
  const { items, properties, additionalProperties: others } = target;
  if (isJsonObject(items)) illustrate(items, Array.isArray(example) ? example[0] : undefined, schemas);
  if (isJsonObject(others)) illustrate(others, undefined, schemas);
  if (!isJsonObject(properties)) return;
  const values = isJsonObject(example) ? example : {};
  for (const [name, field] of Object.entries(properties)) {
    if (!isJsonObject(field)) continue;
    describeField(field, name);
    addExample(field, values[name]);
    illustrate(field, values[name], schemas);
  }
}

/** Adds what a field of this name means, unless it says so. */
export function describeField(field: JsonObject, name: string): void {
  const words = field['description'] === undefined ? fieldWords(name) : undefined;
  if (words !== undefined) field['description'] = words;
}

function targetOf(schema: JsonObject, schemas: Record<string, JsonObject>): JsonObject {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (schemas[referredName($ref)] ?? {}) : schema;
}

function partsOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  return [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
}

function addExample(field: JsonObject, value: JsonValue | undefined): void {
  if (value === undefined || value === null || field['examples'] !== undefined || '$ref' in field) return;
  if (JSON.stringify(value).length <= MAX_EXAMPLE) field['examples'] = [value];
}
