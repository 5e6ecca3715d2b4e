import { referredName } from '../../src/api/openapi/schema-fields.js';
import { isJsonObject, type JsonObject } from '../../src/platform/json.js';

/** Returns the type of a schema; the lines of an object stand further in than `indent`. */
export function typeOf(schema: JsonObject, indent: string): string {
  const { $ref, enum: values, type } = schema;
  if (typeof $ref === 'string') return referredName($ref);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return union(alternatives.map((one) => typeOf(one, indent)));
  if (type === undefined) return 'unknown';
  const names = [type].flat().filter((name) => typeof name === 'string');
  return union(names.map((name) => namedType(name, schema, indent)));
}

function namedType(name: string, schema: JsonObject, indent: string): string {
  if (name === 'integer') return 'number';
  if (name === 'array') return arrayType(schema, indent);
  return name === 'object' ? objectType(schema, indent) : name;
}

function arrayType({ items }: JsonObject, indent: string): string {
  const item = isJsonObject(items) ? typeOf(items, indent) : 'unknown';
  return / [|&] /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectType(schema: JsonObject, indent: string): string {
  const { properties, required, additionalProperties: others } = schema;
  const inner = `${indent}  `;
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, value]) =>
    field(name, isJsonObject(value) ? value : {}, { required: needed.includes(name), indent: inner }),
  );
  if (others === false && fields.length === 0) return '{}';
  // Known fields have types of their own, which those of others must include.
  const rest = fields.length === 0 && isJsonObject(others) ? typeOf(others, inner) : 'unknown';
  const index = others === false ? [] : [`${inner}[key: string]: ${rest};\n`];
  return `{\n${[...fields, ...index].join('')}${indent}}`;
}

/** Returns the lines of one field: its comment, name and type. */
export function field(
  name: string,
  schema: JsonObject,
  { required, indent }: { required: boolean; indent: string },
): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
  return `${comment(schema, indent)}${indent}${key}${required ? '' : '?'}: ${typeOf(schema, indent)};\n`;
}

/** Returns the comment of a schema, or nothing. */
export function comment({ description }: JsonObject, indent: string): string {
  if (typeof description !== 'string' || description === '') return '';
  return `${indent}/** ${description.replaceAll('*/', '* /').replace(/\s*\n\s*/g, ' ')} */\n`;
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

/** Returns the schemas of which a value has one. */
export function alternativesOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  return [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
}
