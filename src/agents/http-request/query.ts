import { isUtf8 } from 'node:buffer';
import { bytesOf } from '../../platform/text/byte-text.js';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { optionText } from '../options/options.js';

export type ParamsEncoder = 'nested' | 'flat';

const MAX_DEPTH = 20;

/** A field's name and text; without a text it is written as its bare name. */
export type FormField = [name: string, text?: string];

/**
 * Converts an object to form fields, as Faraday does. Nested: lists as `k[]=1&k[]=2` and objects as `k[a]=1`. Flat:
 * `k=1&k=2`, and an object as its JSON. Null is the bare `k`; an empty list is `k[]`, flat `k=`.
 */
export function formFields(object: JsonObject, encoder: ParamsEncoder): FormField[] {
  const entries = Object.entries(object);
  return encoder === 'flat'
    ? entries.flatMap(([key, value]) => flatFields(key, value))
    : entries.flatMap(([key, value]) => nestedFields(key, value, MAX_DEPTH));
}

function flatFields(key: string, value: JsonValue): FormField[] {
  if (Array.isArray(value))
    return value.length === 0 ? [[key, '']] : value.map((item) => [key, optionText(item)]);
  return [fieldOf(key, value)];
}

function fieldOf(key: string, value: JsonValue): FormField {
  return value === null ? [key] : [key, optionText(value)];
}

function nestedFields(key: string, value: JsonValue, depth: number): FormField[] {
  if (depth === 0)
    throw new PermanentJobError(`payload: more than ${MAX_DEPTH} levels cannot be sent as fields`);
  if (Array.isArray(value)) {
    if (value.length === 0) return [[`${key}[]`]];
    return value.flatMap((item) => nestedFields(`${key}[]`, item, depth - 1));
  }
  if (!isJsonObject(value)) return [fieldOf(key, value)];
  return Object.entries(value).flatMap(([inner, item]) => nestedFields(`${key}[${inner}]`, item, depth - 1));
}

/** Writes fields as `a=1&b`, each text percent-encoded as `encode` gives its bytes, a space as `+`. */
export function writtenFields(fields: FormField[], encode: (text: string) => Buffer): string {
  const written = (text: string) => percentEncoded(encode(text));
  return fields
    .map(([name, text]) => (text === undefined ? written(name) : `${written(name)}=${written(text)}`))
    .join('&');
}

/** Writes fields as `a=1&b`, without encoding anything. */
export function plainFields(fields: FormField[]): string {
  return fields.map((field) => field.join('=')).join('&');
}

function percentEncoded(bytes: Buffer): string {
  if (isUtf8(bytes)) return new URLSearchParams([['', bytes.toString()]]).toString().slice(1);
  return bytes.toString('latin1').replace(/[^\w*.-]/g, (byte) => PERCENT_CODES[byte.charCodeAt(0)] ?? '');
}

const PERCENT_CODES = Array.from({ length: 256 }, (_, byte) =>
  byte === 0x20 ? '+' : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
);

/** Adds fields to the query of `url`; a space becomes `%20`, which every server decodes. */
export function addToQuery(url: URL, fields: FormField[]): void {
  if (fields.length > 0) addTextToQuery(url, writtenFields(fields, bytesOf).replaceAll('+', '%20'));
}

/** Adds an encoded query to the query of `url`. */
export function addTextToQuery(url: URL, query: string): void {
  const before = url.search.replace(/^\?/, '');
  url.search = [before, query.trim().replace(/^\?/, '')].filter((part) => part !== '').join('&');
}
