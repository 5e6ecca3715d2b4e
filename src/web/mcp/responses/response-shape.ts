import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { type AnyRoute, jsonSchemaOf } from '../../../api/face.js';

/** The shape of a tool's response, from which `fields` chooses parts. */
export interface ResponseShape {
  /** JSON Schema of the response, which is an object. */
  schema: JsonObject;
  /** The name of the list, if the response is a page of one. */
  list: string | undefined;
}

/** Returns the shape of a route's response; undefined if it answers no object. */
export function responseShapeOf<Services>({ docs }: AnyRoute<Services>): ResponseShape | undefined {
  if (docs?.response === undefined) return undefined;
  const whole = jsonSchemaOf(docs.response);
  const schema = [whole, ...alternativesOf(whole)].find(({ type }) => type === 'object');
  return schema && { schema, list: listIn(schema) };
}

/**
 * Returns the schema of what a tool returns: names and types only, and nothing is required, since a response may be chosen
 * from or shortened. The whole schemas would take two and a half times as much as all that is told of the tools.
 */
export function outputSchemaOf({ schema }: ResponseShape): JsonObject & { type: 'object' } {
  const types = Object.entries(propertiesOf(schema)).map(([name, { type }]) => [name, type ? { type } : {}]);
  return { type: 'object', properties: Object.fromEntries(types) as JsonObject };
}

/** A name that a response cannot have, and those that are in its place. */
export interface UnknownName {
  name: string;
  known: string[];
}

/** Returns the first name of a path that the response cannot have; undefined if it may have them all. */
export function unknownIn(schema: JsonObject, path: string): UnknownName | undefined {
  const inside = entriesOf(schema);
  if (!isClosed(inside)) return undefined;
  const properties = propertiesOf(inside);
  const [name = '', ...rest] = path.split('.');
  const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (next === undefined) return { name, known: Object.keys(properties) };
  return rest.length === 0 ? undefined : unknownIn(next, rest.join('.'));
}

/** Returns the properties of an object by their names. */
export function propertiesOf({ properties }: JsonObject): Record<string, JsonObject> {
  return isJsonObject(properties) ? (properties as Record<string, JsonObject>) : {};
}

/** Whether it is known which names it has. */
function isClosed(schema: JsonObject): boolean {
  return schema['additionalProperties'] === false && isJsonObject(schema['properties']);
}

/** The schema of the entries of a list, also of one in a list; any other schema itself. */
function entriesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema['items']) ? entriesOf(schema['items']) : schema;
}

/** A page has its place in the list beside the list, and no other list. */
function listIn(schema: JsonObject): string | undefined {
  const properties = propertiesOf(schema);
  const lists = Object.keys(properties).filter((name) => properties[name]?.['type'] === 'array');
  return Object.hasOwn(properties, 'meta') && lists.length === 1 ? lists[0] : undefined;
}

function alternativesOf({ anyOf }: JsonObject): JsonObject[] {
  return Array.isArray(anyOf) ? anyOf.filter((one: JsonValue) => isJsonObject(one)) : [];
}
