import Joi from 'joi';
import { PermanentJobError, type Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { escapedOnceMore } from '../../platform/secrets/secret-reference.js';
import type { AgentContext, AgentDefinition, AgentResult } from '../agent.js';
import { type CheckedOptions, createCheckedOptions } from './checked-options.js';
import { ExactNumber, stringifyJson } from '../../platform/json/exact-number.js';
import { isOrdered, orderedObject } from '../../platform/json/ordered-object.js';

/** Absent, null and the empty text mean the same in options: exports leave form fields empty. */
const BLANK = Joi.valid('', null);

/** Returns false for a value that counts as absent. */
export function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** An integer, also as text. */
export const integer = () => Joi.number().integer().empty(BLANK);

/** A number, also as text. */
export const number = () => Joi.number().empty(BLANK);

/** A boolean, also as text. */
export const flag = () => Joi.boolean().truthy('yes', '1', 'on', 1).falsy('no', '0', 'off', 0).empty(BLANK);

/** A text; numbers and booleans count as text, a list or an object is its JSON. */
export const text = () => Joi.any().empty(Joi.valid(null)).custom(optionText);

/** A text that can only be text, such as an address. */
export const word = () => Joi.string().trim().empty(BLANK);

/** A text that is usually one of our own words, whose validation may be cached (checked-options.ts). */
export const oneOf = (words: Iterable<string>) => word().meta({ words: [...words] });

/** Names: a list of texts, or one text with commas. */
export const names = () => Joi.alternatives(Joi.string(), Joi.array().items(Joi.string())).empty(BLANK);

/** A short text, also given as a number: a secret, a name. */
export const scalar = () =>
  Joi.any().empty(BLANK).custom(scalarOf).messages({ 'string.base': '{{#label}} must be a text' });

/** An object, or text that holds its JSON. */
export const object = () => Joi.object().unknown(true).custom(objectOf).empty(BLANK);

/** Returns a value's text as templates render it: null is empty, lists and objects are JSON. */
export function optionText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object' || value instanceof ExactNumber) return String(value);
  return escapedOnceMore(stringifyJson(value));
}

/** joi also takes an exact number for an object. */
const objectOf: Joi.CustomValidator = (value: unknown, helpers) =>
  isJsonObject(value) ? value : helpers.error('object.base', { type: 'object' });

const scalarOf: Joi.CustomValidator = (value: JsonValue, helpers) =>
  typeof value === 'object' && !(value instanceof ExactNumber)
    ? helpers.error('string.base')
    : String(value).trim();

/** Returns an agent without its option type, so that agents of all types fit one list. */
export function anyAgent<Options>(definition: AgentDefinition<Options>): AgentDefinition<never> {
  return definition as unknown as AgentDefinition<never>;
}

/**
 * Validates and converts rendered options: `"5"` becomes 5, unknown keys stay.
 * @throws PermanentJobError naming every invalid option, never its value.
 */
export function readOptions<Options>(schema: Joi.Schema<Options>, rendered: JsonObject): Options {
  const { ready, checked } = prepared(schema);
  const found = checked?.find(rendered);
  if (found !== undefined) return inOrderOf(rendered, found) as Options;
  const { error, value } = ready.validate(rendered);
  if (error === undefined) {
    checked?.keep(rendered, value as JsonObject);
    return inOrderOf(rendered, value as JsonObject) as Options;
  }
  throw new PermanentJobError(error.details.map(({ message }) => `option ${message}`).join('; '));
}

/** joi copies options: whole numbers as names must keep their place, because some modes emit their options. */
function inOrderOf(rendered: JsonObject, options: JsonObject): JsonObject {
  if (!isOrdered(rendered)) return options;
  const names = new Set([...Object.keys(rendered), ...Object.keys(options)]);
  return orderedObject(
    [...names].flatMap((name) => (name in options ? [[name, options[name] as JsonValue]] : [])),
  );
}

/** Validates rendered options and runs the agent on them; the engine uses it for one delivery. */
export async function runAgent(
  agent: AgentDefinition<never>,
  rendered: JsonObject,
  context: AgentContext,
): Promise<AgentResult> {
  return await agent.run(readOptions<never>(agent.options, rendered), context);
}

/** Messages name the option by its path; values may hold secrets and are left out. */
const VALIDATION: Joi.ValidationOptions = {
  abortEarly: false,
  errors: { wrap: { label: false, array: false } },
  messages: { 'any.only': '{{#label}} is not one of the allowed values' },
};

interface Prepared {
  /** With `VALIDATION` built in: if it were passed at each use, joi would compile the messages each time. */
  ready: Joi.Schema;
  checked: CheckedOptions | undefined;
}

const known = new WeakMap<Joi.Schema, Prepared>();

function prepared(schema: Joi.Schema): Prepared {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const made = { ready: schema.prefs(VALIDATION), checked: createCheckedOptions(schema) };
  known.set(schema, made);
  return made;
}

/** Faults of a value's type, such as a number instead of a list, and of `verbs`. Another value might cure all other faults. */
const KIND_FAULTS = new Set([
  'alternatives.match',
  'alternatives.types',
  'array.base',
  'boolean.base',
  'number.base',
  'object.base',
  'string.base',
  'webhook.verbs',
]);

/** A fault of options, with the value that has it. */
export interface OptionFault extends Problem {
  details: string;
  type: string;
  path: (string | number)[];
  value: unknown;
}

/** Returns all faults that the schema finds in options, as `readOptions` would refuse them. */
export function faultsOf(schema: Joi.Schema, options: JsonObject): OptionFault[] {
  const { error } = prepared(schema).ready.validate(options);
  return (error?.details ?? []).map(({ type, path, message, context }) => {
    return { type, path, message, details: String(context?.label), value: context?.value };
  });
}

/** Returns the type faults in options that may still hold templates (see `checkOptions` in index.ts). */
export function wrongKinds(schema: Joi.Schema, options: JsonObject): Problem[] {
  return faultsOf(schema, options)
    .filter(({ type, value }) => KIND_FAULTS.has(type) && !mayBecomeAnything(value))
    .map(({ message, details }) => ({ message, details }));
}

/** Whether the value is a text with template syntax of either language: its result is not known yet. */
function mayBecomeAnything(value: unknown): boolean {
  return typeof value === 'string' && /\{\{|\{%|<<|<%|^\s*=/.test(value);
}
