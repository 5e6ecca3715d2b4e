import type { JsonValue } from '../../src/platform/json.js';
import { isJsonObject } from '../../src/platform/json.js';
import type { Operation, Parameter } from '../../src/api/openapi/openapi-types.js';
import type { Randomness } from '../chaos/randomness.js';
import { BROKEN_BODIES, mutated, rubbish } from './mutations.js';
import { NO_ID, type Things } from './things.js';
import { type Making, NUMBERS, TEXTS, valueOf } from './values.js';

/** How far a request is from what the document asks for. */
export type Quality = 'valid' | 'nearly valid' | 'rubbish';

/** An operation of the document. */
export interface Target {
  /** In capital letters. */
  method: string;
  /** Its path in the document: `/api/v1/stories/{id}`. */
  template: string;
  operation: Operation;
}

/** The request. */
export interface FuzzRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Wish {
  making: Making;
  things: Things;
  quality: Quality;
}

/** Returns a request for the operation. */
export function requestFor({ method, template, operation }: Target, wish: Wish): FuzzRequest {
  const query = operation.parameters.filter((one) => one.in === 'query');
  const sent = query.filter((one) => one.required || wish.making.random.between(0, 3) === 0);
  const pairs = sent.flatMap((one) => pairsOf(one.name, parameterValue(one, wish)));
  if (wish.quality === 'rubbish')
    pairs.push([wish.making.random.pick(TEXTS), wish.making.random.pick(TEXTS)]);
  const text = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const body = bodyOf(operation, wish);
  return {
    method,
    path: pathOf(template, wish) + (text === '' ? '' : `?${text}`),
    headers: {
      ...headersOf(operation, wish),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: method === 'GET' ? undefined : body,
  };
}

function pathOf(template: string, { making: { random }, things, quality }: Wish): string {
  const end = template.lastIndexOf('}') + 1;
  const known = quality === 'rubbish' ? undefined : things.addressFor(template.slice(0, end));
  if (end > 0 && known !== undefined && random.between(0, 10) > 0) return known + template.slice(end);
  const nothing = () =>
    quality === 'rubbish' ? encode(String(random.pick([...TEXTS, ...NUMBERS]))) : `${NO_ID}`;
  return template.replaceAll(/\{\w+\}/g, () => nothing() || '0');
}

function parameterValue({ name, schema, example }: Parameter, { making, quality }: Wish): JsonValue {
  const { random } = making;
  if (quality === 'rubbish') return rubbish(random);
  const id = making.idFor(name);
  const isExample = id === undefined && example !== undefined && random.between(0, 2) === 0;
  const value = isExample ? (example as JsonValue) : valueOf(making, schema, name);
  return quality === 'nearly valid' && random.between(0, 3) === 0 ? mutated(random, value) : value;
}

function headersOf({ parameters }: Operation, { making: { random }, quality }: Wish): Record<string, string> {
  const taken = parameters.filter((one) => one.in === 'header' && random.between(0, 8) === 0);
  const values =
    quality === 'rubbish' ? ['', '"', 'x'.repeat(300), '*'] : ['"1"', '*', `key-${random.between(0, 1e6)}`];
  return Object.fromEntries(taken.map(({ name }) => [name, random.pick(values)]));
}

/** The JSON text of a body; undefined if the operation takes none. */
function bodyOf({ requestBody }: Operation, { making, quality }: Wish): string | undefined {
  const { random } = making;
  const media = requestBody?.content['application/json'];
  if (media === undefined) return quality === 'rubbish' && random.between(0, 4) === 0 ? '{"a":1}' : undefined;
  if (quality === 'rubbish')
    return random.pick([random.pick(BROKEN_BODIES), JSON.stringify(rubbish(random))]);
  const isExample = media.example !== undefined && random.between(0, 2) === 0;
  const value = isExample ? withIds(media.example as JsonValue, making) : valueOf(making, media.schema);
  return JSON.stringify(quality === 'valid' ? value : mutated(random, value));
}

/** The example, about things that are there. */
export function withIds(value: JsonValue, making: Making, name = ''): JsonValue {
  const id = making.idFor(name);
  if (id === null) return Array.isArray(value) ? [] : null;
  if (id !== undefined && value !== null) return Array.isArray(value) ? value.map(() => id) : id;
  if (Array.isArray(value)) return value.map((part) => withIds(part, making));
  if (!isJsonObject(value)) return unlike(value, name, making.random);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withIds(part, making, key)]));
}

/** A name that no other thing has. */
function unlike(value: JsonValue, name: string, random: Randomness): JsonValue {
  if (typeof value !== 'string') return value;
  if (name === 'email') return `p${random.between(0, 1e9)}@a.example`;
  return /^(new_)?name$/.test(name) ? `${value} ${random.between(0, 1e9)}` : value;
}

/** Names and values of a parameter in a query: `filters[0][field_id]=5`, `ids=1&ids=2`. */
function pairsOf(name: string, value: JsonValue): [string, string][] {
  if (Array.isArray(value)) {
    return value.flatMap((part, index) =>
      pairsOf(typeof part === 'object' && part !== null ? `${name}[${index}]` : name, part),
    );
  }
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, part]) => pairsOf(`${name}[${key}]`, part));
  return [[name, value === null ? '' : String(value)]];
}

/** Halves of characters cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.slice(0, 2_000).replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD'));
}
