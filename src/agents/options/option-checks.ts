import type Joi from 'joi';
import { PermanentJobError, type Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { referredTo } from './checked-options.js';
import { faultsOf } from './options.js';
import type { OptionChecks } from './option-rules.js';
import { SETTING_NAMES } from '../setting-names.js';

/** Whether a text has templates: its value is not known yet. */
export type IsTemplate = (text: string) => boolean;

/** The definitions of an agent type or mode by which options are judged. */
export interface OptionRules {
  options: Joi.Schema;
  checks?: OptionChecks;
}

/** Returns the faults with which every run of these options fails; a value with templates is not judged. */
export function staticFaults(
  { options: schema, checks = {} }: OptionRules,
  options: JsonObject,
  isTemplate: IsTemplate,
): Problem[] {
  const unknown = (value: unknown) => holdsTemplate(value as JsonValue, isTemplate);
  const { keys = {} } = schema.describe() as { keys?: Record<string, unknown> };
  const faults = faultsOf(schema, options).filter(
    ({ value, path: [name] }) =>
      !unknown(value) && !referredTo(keys[String(name)]).some((other) => unknown(options[other])),
  );
  const judged = new Set(faults.map(({ path: [name] }) => String(name)));
  return [
    ...faults.map(({ message, details }) => ({ message: `option ${message}`, details })),
    ...Object.entries(checks)
      .filter(([name]) => !judged.has(name))
      .flatMap(([name, check]) => {
        const value = staticPart(options[name], isTemplate);
        if (value === undefined && options[name] !== undefined) return [];
        const fault = faultOf(() => check(converted(schema, name, value), options));
        return fault === undefined ? [] : [{ message: fault, details: name }];
      }),
  ];
}

function converted(schema: Joi.Schema, name: string, value: JsonValue | undefined): JsonValue | undefined {
  return (schema as Joi.ObjectSchema).extract(name).validate(value).value as JsonValue | undefined;
}

function faultOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof PermanentJobError) return error.message;
    throw error;
  }
}

/** Returns the value without the entries of an object that have templates; undefined if the rest has them. */
function staticPart(value: JsonValue | undefined, isTemplate: IsTemplate): JsonValue | undefined {
  if (!isJsonObject(value)) return holdsTemplate(value, isTemplate) ? undefined : value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => !holdsTemplate(item, isTemplate)));
}

function holdsTemplate(value: JsonValue | undefined, isTemplate: IsTemplate): boolean {
  if (typeof value === 'string') return isTemplate(value);
  if (Array.isArray(value)) return value.some((item) => holdsTemplate(item, isTemplate));
  return isJsonObject(value) && Object.values(value).some((item) => holdsTemplate(item, isTemplate));
}

/** Returns the paths of the options without a name in the schema, each with the name that it may mean. */
export function unknownNames(
  schema: Joi.Schema,
  options: JsonObject,
): { place: string; meant: string | undefined }[] {
  const { keys = {} } = schema.describe();
  return namesIn(keys as Record<string, Joi.Description>, options, '').filter(
    ({ place }) => !SETTING_NAMES.has(place),
  );
}

function namesIn(
  keys: Record<string, Joi.Description>,
  value: JsonObject,
  place: string,
): ReturnType<typeof unknownNames> {
  return Object.entries(value).flatMap(([name, item]) => {
    const at = place === '' ? name : `${place}.${name}`;
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (key !== undefined) return namesWithin(key, item, at);
    return hasNoValue(item) ? [] : [{ place: at, meant: meantBy(name, Object.keys(keys)) }];
  });
}

/** The description of a list, of alternatives, or of anything else. */
interface Described extends Joi.Description {
  items?: Joi.Description[];
  matches?: { schema: Joi.Description }[];
}

function namesWithin(key: Joi.Description, value: JsonValue, place: string): ReturnType<typeof unknownNames> {
  const { items: [item] = [], matches = [], metas = [], keys = {} } = key as Described;
  if (item !== undefined && Array.isArray(value))
    return value.flatMap((each, index) => namesWithin(item, each, `${place}[${index}]`));
  if (matches.length > 0) return matches.flatMap(({ schema }) => namesWithin(schema, value, place));
  const isKnown = (metas as object[]).some((meta) => 'namesAreKnown' in meta);
  return isKnown && isJsonObject(value) ? namesIn(keys as Record<string, Joi.Description>, value, place) : [];
}

/** An option that is switched off need not have an effect. */
export function hasNoValue(value: JsonValue | undefined): boolean {
  const blank: unknown[] = [undefined, null, '', false, 'false'];
  if (Array.isArray(value) || isJsonObject(value)) return Object.keys(value).length === 0;
  return blank.includes(value);
}

/** The same letters, in another case or with other marks between the words. */
function meantBy(name: string, known: string[]): string | undefined {
  return known.find((other) => lettersOf(other) === lettersOf(name));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
