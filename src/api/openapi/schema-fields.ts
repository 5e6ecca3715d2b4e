import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';

/** A field of a JSON Schema, flattened for a table. */
export interface SchemaField {
  /** `records[].field_id`. */
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper fields appear only in the OpenAPI document. */
const MAX_DEPTH = 5;

/** The place of a field, and the named schemas that fields refer to. */
interface FieldPlace {
  schemas: Record<string, JsonObject>;
  prefix: string;
  depth: number;
}

/** Returns all fields of an object or of a list of objects, outermost first; references lead to `schemas`. */
export function fieldsOf(schema: JsonObject, schemas: Record<string, JsonObject> = {}): SchemaField[] {
  return fieldsAt(schema, { schemas, prefix: '', depth: 0 });
}

function fieldsAt(schema: JsonObject, place: FieldPlace): SchemaField[] {
  const { schemas, prefix, depth } = place;
  if (depth > MAX_DEPTH) return [];
  const { $ref, items, properties, required } = schema;
  const inside = { ...place, depth: depth + 1 };
  if (typeof $ref === 'string') return fieldsAt(schemas[referredName($ref)] ?? {}, place);
  if (isJsonObject(items)) return fieldsAt(items, { ...inside, prefix: `${prefix}[]` });
  if (!isJsonObject(properties)) return alternativesOf(schema).flatMap((one) => fieldsAt(one, inside));
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = isJsonObject(value) ? value : {};
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const isRequired = Array.isArray(required) && required.includes(name);
    const { description } = field;
    const meaning = typeof description === 'string' ? description : '';
    const own = { path, type: typeText(field), required: isRequired, description: meaning };
    return [own, ...fieldsAt(field, { ...inside, prefix: path })];
  });
}

/** Describes a type in words: `integer, 1 to 500`, `array of string`, `"ASC" or "DESC"`. */
export function typeText(schema: JsonObject): string {
  const { $ref, enum: values, format } = schema;
  if (typeof $ref === 'string') return referredName($ref);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' or ');
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeText))].join(' or ');
  const name = nameOf(schema);
  const form = typeof format === 'string' ? ` (${format})` : '';
  return `${name}${form}${boundsOf(schema)}`;
}

/** Returns the name of the schema that a reference leads to. */
export function referredName($ref: string): string {
  return $ref.replace(/^.*\//, '');
}

function nameOf({ type, items }: JsonObject): string {
  const names = (Array.isArray(type) ? type : [type ?? 'any']).map(String);
  const of = isJsonObject(items) ? ` of ${typeText(items)}` : '';
  return names.map((name) => (name === 'array' ? `array${of}` : name)).join(' or ');
}

function boundsOf(schema: JsonObject): string {
  const { minimum, maximum, exclusiveMinimum, maxLength, default: preset } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : `over ${text(exclusiveMinimum)}`);
  const parts: [JsonValue | undefined, string][] = [
    [
      least,
      maximum === undefined
        ? `${text(least)}${minimum === undefined ? '' : ' or more'}`
        : `${text(least)} to ${text(maximum)}`,
    ],
    [least === undefined ? maximum : undefined, `${text(maximum)} or less`],
    [maxLength, `at most ${text(maxLength)} characters`],
    [preset, `default ${JSON.stringify(preset)}`],
  ];
  return parts.map(([given, words]) => (given === undefined ? '' : `, ${words}`)).join('');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function alternativesOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  return [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
}
