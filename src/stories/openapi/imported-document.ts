import { parseDocument } from 'yaml';
import { Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { measureJson } from '../../platform/json/json-measure.js';
import { isYamlDeeperThan, yamlExcess } from '../../platform/text/yaml/yaml-bounds.js';

/** Largest document, in bytes. */
export const MOST_DOCUMENT_BYTES = 10 * 1024 * 1024;
/** Documents of more values would take the memory of a thread. */
const BOUNDS = { depth: 200, values: 2_000_000 };
/** Longer chains of references lead in a circle. */
const MOST_HOPS = 50;

/** An OpenAPI 3 document. */
export interface OpenapiDocument {
  root: JsonObject;
  /** Its address, against which relative servers are read; undefined: it was pasted. */
  address: string | undefined;
}

/**
 * Parses a document: JSON or YAML.
 * @throws Unprocessable for a text that is neither, and one that is no OpenAPI 3 document.
 */
export function readOpenapiDocument(text: string, address: string | undefined): OpenapiDocument {
  const root = /^\s*\{/.test(text) ? jsonOf(text) : yamlOf(text);
  if (!isJsonObject(root)) throw refusal('The document is not an OpenAPI document');
  if (root.swagger !== undefined) {
    throw refusal(`The document is Swagger ${textIn(root.swagger)}. Convert it to OpenAPI 3 first`);
  }
  const version = textIn(root.openapi);
  if (version === '') throw refusal('The document is not an OpenAPI document: it has no "openapi"');
  if (!/^3\.[0-2](?:\.|$)/.test(version)) {
    throw refusal(`OpenAPI ${version.slice(0, 20)} is not supported. Use a document of OpenAPI 3.0 or 3.1`);
  }
  if (!isJsonObject(root.paths ?? null)) throw refusal('The document has no "paths"');
  return { root, address };
}

function refusal(message: string, details?: string): Unprocessable {
  return new Unprocessable([{ message, ...(details !== undefined && { details }) }]);
}

function tooLarge(excess: 'depth' | 'values'): Unprocessable {
  return refusal(excess === 'depth' ? 'The document is nested too deep' : 'The document has too many values');
}

function jsonOf(text: string): JsonValue {
  const { excess } = measureJson(text, BOUNDS);
  if (excess !== undefined) throw tooLarge(excess);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // YAML may begin with a brace, too.
    return yamlOf(text);
  }
}

function yamlOf(text: string): JsonValue {
  if (isYamlDeeperThan(text, BOUNDS.depth)) throw tooLarge('depth');
  const document = parseDocument(text, { logLevel: 'error', merge: true, uniqueKeys: false });
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw refusal(
      `The document is neither JSON nor YAML: ${fault.message.split('\n', 1)[0]?.replace(/:$/, '')}`,
    );
  }
  const excess = yamlExcess(document, BOUNDS);
  if (excess !== undefined) throw tooLarge(excess);
  try {
    return document.toJS({ maxAliasCount: -1 }) as JsonValue;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw refusal('The document has an alias of YAML without an anchor');
  }
}

/** A value of a document, and where it stands: `paths./pets.get`. */
export interface Spot {
  value: JsonValue | undefined;
  where: string;
}

/** Returns the value of a key, or of an item of a list, with its references followed. */
export function spotAt(document: OpenapiDocument, { value, where }: Spot, key: string | number): Spot {
  const place = where === '' ? String(key) : `${where}.${key}`;
  if (typeof key === 'number') {
    return followed(document, { value: Array.isArray(value) ? value[key] : undefined, where: place });
  }
  const isThere = isJsonObject(value) && Object.hasOwn(value, key);
  return followed(document, { value: isThere ? value[key] : undefined, where: place });
}

/**
 * Follows `$ref`, within the document only.
 * @throws Unprocessable for a reference to another document, to nothing, or in a circle.
 */
function followed(document: OpenapiDocument, spot: Spot): Spot {
  let { value } = spot;
  for (let hops = 0; isJsonObject(value) && typeof value.$ref === 'string'; hops += 1) {
    const reference = value.$ref;
    const shown = reference.slice(0, 200);
    if (!reference.startsWith('#')) {
      throw refusal(`"$ref" to another document is not followed: ${shown}`, spot.where);
    }
    if (hops >= MOST_HOPS) throw refusal(`"$ref" leads in a circle: ${shown}`, spot.where);
    const found = pointedAt(document.root, reference);
    if (found === undefined) throw refusal(`"$ref" leads to nothing: ${shown}`, spot.where);
    value = found;
  }
  return { value, where: spot.where };
}

/** Follows a pointer of JSON (RFC 6901) in its form as a fragment. */
function pointedAt(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value: JsonValue | undefined = root;
  for (const step of reference.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the value at a path from the root, with references followed at each step. */
export function spotOf(document: OpenapiDocument, ...path: (string | number)[]): Spot {
  return path.reduce<Spot>((spot, key) => spotAt(document, spot, key), { value: document.root, where: '' });
}

/** Returns the entries of an object, in its order; none of any other value. */
export function membersOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value ?? null) ? Object.entries(value as JsonObject) : [];
}

/** Returns the items of a list; none of any other value. */
export function itemsOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value of a key of an object. */
export function partOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value ?? null) && Object.hasOwn(value as JsonObject, key)
    ? (value as JsonObject)[key]
    : undefined;
}

/** Returns a text, or a number as text; otherwise the empty text. */
export function textIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const MOST_CHARACTERS = 300;

/** Returns the beginning of a text for people, in one line; null if there is none. */
export function shortText(value: JsonValue | undefined): string | null {
  const text = textIn(value).replace(/\s+/g, ' ').trim();
  if (text === '') return null;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}
