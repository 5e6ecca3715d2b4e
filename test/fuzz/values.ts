import { isJsonObject, type JsonObject, type JsonValue } from '../../src/platform/json.js';
import type { Randomness } from '../chaos/randomness.js';

/** Sources of values. */
export interface Making {
  random: Randomness;
  /** The schemas of the document's components. */
  schemas: Record<string, JsonObject>;
  /** Returns the id of a thing that is there, by the name of its field; undefined for any other field. */
  idFor: (name: string) => JsonValue | undefined;
}

/** Levels below which no optional parts are made. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 3;

const FORMATS: Record<string, string> = {
  email: 'somebody@a.example',
  'date-time': '2026-11-29T09:00:00Z',
  uri: 'https://a.example/path',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  hex: 'c0ffee',
  base64: 'YQ==',
};

/** Texts that are sent anywhere: empty, long, of other scripts, near to code. */
export const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  'null',
  'true',
  'é',
  '名前',
  '🦊',
  '\u202Eabc',
  'a\u0000b',
  '\uD800',
  'a\nb',
  "'; DROP TABLE stories; --",
  '{{ .a.b }}',
  '{% for %}',
  '=1/0',
  '<<broken',
  '../../etc/passwd',
  '%00',
  '2026-02-30T25:61:00Z',
  'x'.repeat(256),
  'x'.repeat(70_000),
];

/** Numbers at the edges of what stores and languages hold. */
export const NUMBERS = [0, -1, 1, 1.5, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e21, -(2 ** 63), 1e308];

/** Returns a value that the schema takes, as far as the schema says so. */
export function valueOf(making: Making, schema: JsonValue, name = '', depth = 0): JsonValue {
  if (!isJsonObject(schema)) return null;
  const { $ref: reference, anyOf, allOf, enum: choices } = schema;
  if (typeof reference === 'string') return valueOf(making, resolved(making, reference), name, depth);
  const id = making.idFor(name);
  if (id !== undefined && id !== null && !isTyped(schema, 'object'))
    return isTyped(schema, 'array') ? [id] : id;
  if (Array.isArray(choices)) return making.random.pick(choices);
  if (Array.isArray(anyOf)) return valueOf(making, making.random.pick(anyOf), name, depth);
  if (Array.isArray(allOf))
    return Object.assign({}, ...allOf.map((one) => valueOf(making, one, name, depth)));
  return ofType(making, schema, name, depth);
}

function ofType(making: Making, schema: JsonObject, name: string, depth: number): JsonValue {
  const { random } = making;
  const types = [schema['type'] ?? 'string'].flat().filter((type) => type !== 'null' || depth < MAX_DEPTH);
  switch (random.pick(types)) {
    case 'object':
      return objectOf(making, schema, depth);
    case 'array':
      return arrayOf(making, schema, name, depth);
    case 'integer':
    case 'number':
      return numberOf(making, schema);
    case 'boolean':
      return random.pick([true, false]);
    case 'null':
      return null;
    default:
      return textOf(making, schema);
  }
}

function objectOf(making: Making, schema: JsonObject, depth: number): JsonObject {
  const { properties, required, additionalProperties: others } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const made = Object.entries(isJsonObject(properties) ? properties : {})
    .filter(([key]) => needed.has(key) || (depth < MAX_DEPTH && making.random.between(0, 3) === 0))
    .map(([key, part]) => [key, valueOf(making, part, key, depth + 1)] as const);
  const more =
    isJsonObject(others) && depth < MAX_DEPTH ? [['key', valueOf(making, others, '', depth + 1)]] : [];
  return Object.fromEntries([...made, ...more]) as JsonObject;
}

function arrayOf(making: Making, schema: JsonObject, name: string, depth: number): JsonValue[] {
  const { minItems = 0, items } = schema;
  const least = Number(minItems);
  const count = depth < MAX_DEPTH ? making.random.between(least, least + MAX_ITEMS) : least;
  return Array.from({ length: count }, () => valueOf(making, items ?? {}, name, depth + 1));
}

function numberOf({ random }: Making, schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 0 : Number(exclusiveMinimum) + 1));
  const most = Number(maximum ?? least + 1000);
  return random.pick([least, most, random.between(least, most + 1)]);
}

function textOf({ random }: Making, schema: JsonObject): string {
  const { format, minLength = 0, maxLength = 40 } = schema;
  if (typeof format === 'string') return FORMATS[format] ?? 'a';
  const length = random.between(Number(minLength), Math.min(Number(maxLength), 40) + 1);
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789_';
  return Array.from({ length }, () => letters[random.between(0, letters.length)]).join('');
}

function resolved({ schemas }: Making, reference: string): JsonObject {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The document has no schema ${reference}`);
  return schema;
}

function isTyped({ type }: JsonObject, name: string): boolean {
  return [type].flat().includes(name);
}
