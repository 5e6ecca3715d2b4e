import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import {
  itemsOf,
  type OpenapiDocument,
  partOf,
  shortText,
  type Spot,
  spotAt,
  textIn,
  membersOf,
} from './imported-document.js';
import type { OperationPlace } from './openapi-operations.js';
import { exampleOf } from './schema-example.js';

/** A parameter of an operation. */
export interface OpenapiParameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  description: string | null;
  example: JsonValue;
  /** Whether the options have it; the others may be added. */
  included: boolean;
}

/** A parameter with how it is written. */
export interface WrittenParameter extends OpenapiParameter {
  /** The fields of a query that it becomes, or the one text elsewhere; a list is a field for each. */
  fields: [name: string, value: JsonValue][];
}

/** Other headers are set by other parts of the options (OpenAPI, Parameter Object). */
const NO_PARAMETERS = ['accept', 'authorization', 'content-type'];

/** Returns the parameters of an operation, those of its path included. */
export function parametersOf(
  document: OpenapiDocument,
  { item, operation }: OperationPlace,
): WrittenParameter[] {
  const found = new Map<string, WrittenParameter>();
  for (const place of [item, operation]) {
    const list = spotAt(document, place, 'parameters');
    for (const [at] of itemsOf(list.value).entries()) {
      const parameter = parameterAt(document, spotAt(document, list, at));
      if (parameter !== undefined) found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...found.values()];
}

function parameterAt(document: OpenapiDocument, place: Spot): WrittenParameter | undefined {
  const { value } = place;
  const name = textIn(partOf(value, 'name'));
  const where = textIn(partOf(value, 'in'));
  if (name === '' || !isPlace(where)) return undefined;
  if (where === 'header' && NO_PARAMETERS.includes(name.toLowerCase())) return undefined;
  const required = where === 'path' || partOf(value, 'required') === true;
  const { example, isJson } = exampleAt(document, place);
  const fields: [string, JsonValue][] = isJson
    ? [[name, stringifyJson(example)]]
    : fieldsOfValue(name, example, styleOf(value, where === 'query' ? 'form' : 'simple'));
  return {
    name,
    in: where,
    required,
    description: shortText(partOf(value, 'description')),
    example,
    included: required,
    fields,
  };
}

function isPlace(where: string): where is OpenapiParameter['in'] {
  return ['path', 'query', 'header', 'cookie'].includes(where);
}

function exampleAt(document: OpenapiDocument, place: Spot): { example: JsonValue; isJson: boolean } {
  const content = spotAt(document, place, 'content');
  const [media] = membersOf(content.value);
  if (media === undefined) return { example: exampleOf(document, place) ?? '', isJson: false };
  const example = exampleOf(document, spotAt(document, content, media[0])) ?? {};
  return { example, isJson: typeof example !== 'string' };
}

/** How a list or an object is written into fields. */
export interface FieldStyle {
  style: string;
  explode: boolean;
}

/** Returns the style that an object of the document names. */
export function styleOf(value: JsonValue | undefined, usual: string): FieldStyle {
  const style = textIn(partOf(value, 'style')) || usual;
  const explode = partOf(value, 'explode');
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' };
}

const JOINTS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Returns the fields that a value becomes in a query or form. */
export function fieldsOfValue(
  name: string,
  value: JsonValue,
  { style, explode }: FieldStyle,
): [string, JsonValue][] {
  const joint = JOINTS[style] ?? ',';
  if (Array.isArray(value)) {
    const items = value.map(plainText);
    return [[name, explode && style !== 'simple' ? items : items.join(joint)]];
  }
  if (!isJsonObject(value)) return [[name, value === null ? '' : plainText(value)]];
  if (style === 'deepObject') return deepFields(name, value);
  const entries = Object.entries(value).map(([key, item]): [string, string] => [key, plainText(item)]);
  if (explode && style === 'form') return entries;
  return [
    [name, entries.map(([key, text]) => (explode ? `${key}=${text}` : `${key}${joint}${text}`)).join(joint)],
  ];
}

function deepFields(name: string, value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
    const inner = `${name}[${key}]`;
    if (isJsonObject(item)) return deepFields(inner, item);
    return [[inner, Array.isArray(item) ? item.map(plainText) : plainText(item)]];
  });
}

function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
