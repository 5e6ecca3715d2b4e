import Joi from 'joi';
import { isJsonObject } from '../json.js';

/** Returns true for a value that asks for nothing: null, an empty text, list or object. */
export function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

/** A key that the schema does not have. */
const unknownKey = Joi.any()
  .custom((value: unknown, helpers) => (isNothing(value) ? undefined : helpers.error('object.unknown')))
  .messages({ 'object.unknown': '{{#label}} is not allowed' });

const made = new WeakMap<Joi.Schema, Joi.AnySchema>();

/**
 * Returns the schema of a body that drops unknown keys which ask for nothing, at any depth. Public clients send them
 * (`"kwargs": {}`); other unknown keys are still refused by name (spec §1.1).
 */
export function droppingEmptyUnknown<Schema extends Joi.Schema>(schema: Schema): Schema {
  const known = made.get(schema);
  if (known !== undefined) return known as Schema;
  const result = dropping(schema);
  made.set(schema, result);
  return result as unknown as Schema;
}

/** Joi's interface for extensions; `$_modify` returns undefined if nothing changed. */
interface Inner {
  $_modify(options: { each(item: Joi.AnySchema): Joi.AnySchema; ref: boolean }): Joi.AnySchema | undefined;
  /** Lets a list look at its new items. */
  $_mutateRebuild(): Joi.AnySchema;
  _flags: { unknown?: boolean };
  $_terms: { keys?: { key: string }[] | null; patterns?: unknown[] | null };
}

function dropping(schema: Joi.Schema): Joi.AnySchema {
  const modified = (schema as unknown as Inner).$_modify({ each: dropping, ref: false });
  const inside = (modified as unknown as Inner | undefined)?.$_mutateRebuild() ?? schema;
  const { _flags: flags, $_terms: terms } = inside as unknown as Inner;
  const isStrict = terms.keys !== null && terms.keys !== undefined && flags.unknown !== true;
  if (!isStrict || (terms.patterns ?? []).length > 0) return inside;
  return (inside as Joi.ObjectSchema).pattern(/^/, unknownKey).custom(withoutDropped(terms.keys ?? []));
}

/** Joi leaves the key of a dropped value: it is removed, so that nobody takes it for one of the schema. */
function withoutDropped(keys: readonly { key: string }[]) {
  const names = new Set(keys.map(({ key }) => key));
  return (value: object): object => {
    for (const [key, item] of Object.entries(value)) {
      // Joi gives a copy of the input.
      if (item === undefined && !names.has(key)) Reflect.deleteProperty(value, key);
    }
    return value;
  };
}
