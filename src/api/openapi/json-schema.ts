import Joi from 'joi';
import { useDescription } from './component.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';

/** The only target that joi supports, and the one OpenAPI 3.1 uses. */
const TARGET = 'draft-2020-12';

/** Returns the name of a schema that stands beside the others in the document; undefined: it stands in place. */
export type NameOf = (schema: Joi.Schema) => string | undefined;

/**
 * Returns a joi schema as JSON Schema, for documentation. Joi converts everything that JSON Schema can express:
 * conditions (`when`) become alternatives; `custom` rules appear only in the schema's description. Parts that `nameOf`
 * names become references.
 */
export function jsonSchemaOf(schema: Joi.Schema, nameOf: NameOf = () => undefined): JsonObject {
  const { jsonSchema } = prepared(schema, nameOf)['~standard'] as unknown as {
    jsonSchema: { input(options: { target: string }): JsonObject };
  };
  // The result of joi may contain undefined and its own objects; convert it to plain JSON.
  const plain = JSON.parse(JSON.stringify(jsonSchema.input({ target: TARGET }))) as JsonObject;
  return tidied(plain) as JsonObject;
}

/** Joi's interface for extensions: returns undefined if nothing changed. */
interface Modified {
  $_modify(options: { each(item: Joi.AnySchema): Joi.AnySchema; ref: boolean }): Joi.AnySchema | undefined;
}

/** Joi's description of a schema. */
interface Described {
  flags?: { insensitive?: boolean; only?: boolean; presence?: Joi.PresenceMode };
  allow?: unknown[];
}

/** Prepares parts that joi would convert otherwise: named ones, and choices in any letter case. */
function prepared(schema: Joi.Schema, nameOf: NameOf): Joi.AnySchema {
  const each = (part: Joi.AnySchema) => {
    const name = nameOf(part);
    return name === undefined ? prepared(part, nameOf) : marker(name, part);
  };
  const modified = (schema as unknown as Modified).$_modify({ each, ref: false });
  return withEachCase(modified ?? (schema as Joi.AnySchema));
}

/** Stands before the name in the description of a part that becomes a reference. */
const MARK = '\u0000';
const MARK_OR_NULL = `${MARK}?`;

function marker(name: string, part: Joi.AnySchema): Joi.AnySchema {
  const { flags = {}, allow = [] } = part.describe() as Described;
  const mark = allow.includes(null) ? MARK_OR_NULL : MARK;
  return Joi.any()
    .description([mark + name, useDescription(part) ?? ''].join(MARK))
    .presence(flags.presence ?? 'optional');
}

/** Replaces what stands for a named schema by a reference. */
function asReference(schema: JsonObject): JsonObject {
  const { description } = schema;
  if (typeof description !== 'string' || !description.startsWith(MARK)) return schema;
  const orNull = description.startsWith(MARK_OR_NULL);
  const [name, use] = description.slice(orNull ? MARK_OR_NULL.length : MARK.length).split(MARK);
  const $ref = `#/components/schemas/${name}`;
  const shown = use === '' || use === undefined ? {} : { description: use };
  return orNull ? { anyOf: [{ $ref }, { type: 'null' }], ...shown } : { $ref, ...shown };
}

/** Adds lower-case values to case-insensitive choices: JSON Schema has no other way to express them. */
function withEachCase(schema: Joi.AnySchema): Joi.AnySchema {
  if (schema.type !== 'string') return schema;
  const { flags = {}, allow = [] } = schema.describe() as Described;
  if (flags.insensitive !== true || flags.only !== true) return schema;
  return schema.valid(...allow.map((value) => (typeof value === 'string' ? value.toLowerCase() : value)));
}

/** Keys whose children are names of fields, not keywords of JSON Schema. */
const NAMES = new Set(['properties', 'patternProperties', '$defs']);
/** Keys whose children are values, which stay unchanged. */
const VALUES = new Set(['default', 'enum', 'examples', 'const']);

function tidied(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(tidied);
  if (!isJsonObject(schema)) return schema;
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (VALUES.has(key)) result[key] = value;
    else if (NAMES.has(key) && isJsonObject(value)) result[key] = eachTidied(value);
    else result[key] = tidied(value);
  }
  return [asReference, unwrapped, withNull, withAnyKey, withOtherKeys].reduce(
    (tidy, step) => step(tidy),
    result,
  );
}

function eachTidied(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      TEXT_IDS.has(name) ? asTextToo(schema) : tidied(schema),
    ]),
  );
}

/** Numeric ids that responses write as text; input accepts both (spec §1.4). */
const TEXT_IDS = new Set(['field_id']);

function asTextToo(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema) || schema['type'] !== 'integer') return tidied(schema);
  return { ...schema, type: ['string', 'integer'] };
}

/** Removes `anyOf` with a single alternative, and that of a list that also accepts one element (`.single()`). */
function unwrapped(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const [first, second] = anyOf;
  const isSingle =
    anyOf.length === 2 && isJsonObject(first) && JSON.stringify(first['items']) === JSON.stringify(second);
  if (!isJsonObject(first) || (anyOf.length > 1 && !isSingle)) return schema;
  return { ...first, ...rest };
}

/** Adds the null that joi omits for `valid('a', null)`: the type allows it, the list of values lacks it. */
function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !type.includes('null') || !Array.isArray(values)) return schema;
  return values.includes(null) ? schema : { ...schema, enum: [...values, null] };
}

/** Says of an object with known keys that it may have others: some readers take silence for a no. */
function withOtherKeys(schema: JsonObject): JsonObject {
  const { type, properties, additionalProperties: others } = schema;
  const isOpen = [type].flat().includes('object') && isJsonObject(properties) && others === undefined;
  return isOpen ? { ...schema, additionalProperties: true } : schema;
}

/** Replaces the pattern `.*` by `additionalProperties`, which means the same. */
function withAnyKey(schema: JsonObject): JsonObject {
  const { patternProperties: patterns, ...rest } = schema;
  if (!isJsonObject(patterns) || Object.keys(patterns).join() !== '.*') return schema;
  return { ...rest, additionalProperties: patterns['.*'] ?? true };
}
