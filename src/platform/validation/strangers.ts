import type Joi from 'joi';
import type { Problem } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json.js';
import { ANYTHING, type SchemaKeys, knownKeys } from './schema-names.js';
import { orderedObject } from '../json/ordered-object.js';
import { problemAt } from './validate.js';

/** Joi takes some 20 µs for each name that it does not know. */
const MOST_FOR_JOI = 100;

/** Returns true for a value that asks for nothing: null, an empty text, list or object. */
export function isEmptyInput(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

/**
 * Returns `input` without unknown names whose values ask for nothing, at any depth. Public clients send them
 * (`"kwargs": {}`); the schema refuses every other unknown name (spec §1.1). The input is not changed.
 */
export function withoutEmptyStrangers(schema: Joi.Schema, input: unknown): unknown {
  return rid(knownKeys(schema), input);
}

function rid(known: SchemaKeys, value: unknown): unknown {
  if (Array.isArray(value)) return known.element === undefined ? value : ridList(known.element, value);
  return isJsonObject(value) && known !== ANYTHING ? ridObject(known, value) : value;
}

function ridList(known: SchemaKeys, list: unknown[]): unknown[] {
  const result = list.map((item) => rid(known, item));
  return result.some((item, index) => item !== list[index]) ? result : list;
}

/** Returns the same object if nothing changes: some objects keep an order of their own. */
function ridObject(known: SchemaKeys, object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  const kept = entries
    .filter(([name, value]) => known.isOpen || known.names.has(name) || !isEmptyInput(value))
    .map(([name, value]) => [name, rid(known.names.get(name) ?? ANYTHING, value)] as const);
  const isSame = kept.length === entries.length && kept.every(([name, value]) => value === object[name]);
  return isSame ? object : (orderedObject(kept) as JsonObject);
}

/**
 * Returns `input` without most of the names that `schema` refuses, and a problem for each one that it left out. A few stay,
 * so that joi refuses them among the other problems.
 */
export function takeStrangers(
  schema: Joi.ObjectSchema,
  input: unknown,
): { rest: unknown; problems: Problem[] } {
  if (!isJsonObject(input) || Object.keys(input).length <= MOST_FOR_JOI) return { rest: input, problems: [] };
  const { isOpen, names } = knownKeys(schema);
  if (isOpen) return { rest: input, problems: [] };
  const strangers = Object.keys(input).filter((name) => !names.has(name));
  const left = new Set(strangers.slice(MOST_FOR_JOI));
  if (left.size === 0) return { rest: input, problems: [] };
  return {
    rest: Object.fromEntries(Object.entries(input).filter(([name]) => !left.has(name))),
    problems: [...left].map((name) => problemAt(`"${name}" is not allowed`, [name])),
  };
}
