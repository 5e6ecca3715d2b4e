import Joi from 'joi';
import { PermanentJobError, type Problem } from '../platform/errors.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import { escapedOnceMore } from '../platform/text/secret-reference.js';
import type { AgentContext, AgentDefinition, AgentResult } from './agent.js';
import { type CheckedOptions, createCheckedOptions } from './checked-options.js';

/** Absent, null and the empty text mean the same in options: exports leave fields of a form empty. */
const BLANK = Joi.valid('', null);

/** A whole number, also as text. */
export const integer = () => Joi.number().integer().empty(BLANK);

/** A number, also as text. */
export const number = () => Joi.number().empty(BLANK);

/** A yes or no, also as text. */
export const flag = () => Joi.boolean().truthy('yes', '1', 'on', 1).falsy('no', '0', 'off', 0).empty(BLANK);

/** A text; numbers and booleans count as text, a list or an object is its JSON. */
export const text = () => Joi.any().empty(Joi.valid(null)).custom(textOf);

/** A text that can only be text, such as an address. */
export const word = () => Joi.string().trim().empty(BLANK);

/** A text that is mostly one of these words of ours: then it is not asked for again (checked-options.ts). */
export const oneOf = (words: Iterable<string>) => word().meta({ words: [...words] });

/** Names: a list of texts, or one text with commas. */
export const names = () => Joi.alternatives(Joi.string(), Joi.array().items(Joi.string())).empty(BLANK);

/** A short text, also given as a number: a secret, a name. */
export const scalar = () =>
  Joi.any().empty(BLANK).custom(scalarOf).messages({ 'string.base': '{{#label}} must be a text' });

/** An object, or text that holds its JSON. */
export const object = () => Joi.object().unknown(true).empty(BLANK);

/** The text of a value as it stands in a template: null is empty, lists and objects are JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? escapedOnceMore(JSON.stringify(value)) : String(value);
}

const scalarOf: Joi.CustomValidator = (value: JsonValue, helpers) =>
  typeof value === 'object' ? helpers.error('string.base') : String(value).trim();

/** Forgets the type of an agent's options, so that agents of all types fit one list. */
export function anyAgent<Options>(definition: AgentDefinition<Options>): AgentDefinition<never> {
  return definition as unknown as AgentDefinition<never>;
}

/**
 * The options as the schema makes them from rendered ones: `"5"` is 5, keys it does not know stay.
 * @throws PermanentJobError naming every option that is wrong, never its value.
 */
export function readOptions<Options>(schema: Joi.Schema<Options>, rendered: JsonObject): Options {
  const { ready, checked } = prepared(schema);
  const found = checked?.find(rendered);
  if (found !== undefined) return found as Options;
  const { error, value } = ready.validate(rendered);
  if (error === undefined) {
    checked?.keep(rendered, value as JsonObject);
    return value as Options;
  }
  throw new PermanentJobError(error.details.map(({ message }) => `option ${message}`).join('; '));
}

/** Validates rendered options and runs the agent on them: what the engine calls for one delivery. */
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
  messages: { 'any.only': '{{#label}} has none of the values it may have' },
};

interface Prepared {
  /** With our settings built in: given with each call, joi would compile the messages anew each time. */
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

/** Faults of kind: a number where a list is wanted. All others may be cured by another value. */
const KIND_FAULTS = new Set([
  'alternatives.match',
  'alternatives.types',
  'array.base',
  'boolean.base',
  'number.base',
  'object.base',
  'string.base',
]);

/** Faults of kind in options that may still hold templates (see `checkOptions` in index.ts). */
export function wrongKinds(schema: Joi.Schema, options: JsonObject): Problem[] {
  const { error } = prepared(schema).ready.validate(options);
  return (error?.details ?? [])
    .filter(({ type, context }) => KIND_FAULTS.has(type) && !mayBecomeAnything(context?.value))
    .map(({ message, context }) => ({ message, details: String(context?.label) }));
}

/** Text with template syntax of either language: what it renders to is not known yet. */
function mayBecomeAnything(value: unknown): boolean {
  return typeof value === 'string' && /\{\{|\{%|<<|<%|^\s*=/.test(value);
}
