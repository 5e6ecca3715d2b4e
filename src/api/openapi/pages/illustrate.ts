import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { fieldWords } from '../field-words.js';
import { referredName } from '../schema-fields.js';

/** Longer examples are shown with the whole request or response only. */
const MAX_EXAMPLE = 200;

/** Adds to each field of a schema its value in `example`, also to those of the schemas that it refers to. */
export function illustrate(schema: JsonObject, example: unknown, schemas: Record<string, JsonObject>): void {
  if (example === undefined || example === null) return;
  const target = targetOf(schema, schemas);
  for (const part of partsOf(target)) illustrate(part, example, schemas);
  const { items } = target;
  if (isJsonObject(items) && Array.isArray(example)) illustrate(items, example[0], schemas);
  if (!isJsonObject(example)) return;
  for (const [name, field] of fieldsIn(target)) {
    addExample(field, example[name]);
    illustrate(field, example[name], schemas);
  }
}

/** Adds to each field what it means, unless it says so; not to those of the schemas that it refers to. */
export function describeFields(schema: JsonObject): void {
  const { items, additionalProperties: others } = schema;
  for (const part of [...partsOf(schema), items, others]) if (isJsonObject(part)) describeFields(part);
  for (const [name, field] of fieldsIn(schema)) {
    describeField(field, name);
    describeFields(field);
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

function fieldsIn({ properties }: JsonObject): [string, JsonObject][] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

function addExample(field: JsonObject, value: JsonValue | undefined): void {
  if (value === undefined || value === null || field['examples'] !== undefined || '$ref' in field) return;
  if (JSON.stringify(value).length <= MAX_EXAMPLE) field['examples'] = [value];
}
