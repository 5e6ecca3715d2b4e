import type Joi from 'joi';
import type { Problem } from '../errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { isValid, type Path, validate } from './validate.js';

type Leaf = string | number | boolean | null | undefined | Date;
type IsAnyObject<T> = [T, JsonObject] extends [JsonObject, T] ? true : false;

/**
 * An input without its faulty parts. Each of them is undefined, but its key is there, and the elements of lists keep
 * their places. What may be any JSON, or any object, is whole or undefined. A whole input is one too, so that the same
 * checks serve both.
 */
export type Usable<T> = [JsonValue] extends [T] ? T : UsablePart<T>;

type UsablePart<T> = T extends Leaf
  ? T
  : IsAnyObject<T> extends true
    ? T
    : T extends readonly (infer Element)[]
      ? readonly (Usable<Element> | undefined)[]
      : T extends object
        ? { [Key in keyof T]?: Usable<T[Key]> | undefined }
        : T;

/** What joi made of an input: all of it, or everything that is wrong with its shape and the parts that can be used. */
export type Inspected<T> =
  | { value: T; usable: T; problems: [] }
  | { value: undefined; usable: Usable<T>; problems: Problem[] };

/** Whether a problem names this part: then it is undefined, but not absent. */
export function isFaulty<Input extends object>(input: Input, key: keyof Input & string): boolean {
  return input[key] === undefined && Object.hasOwn(input, key);
}

/** Taking a part out may make another one wrong (a field that needs the first); a schema has no longer chains. */
const MAX_PASSES = 5;

/** Checks `input`, an object, and on faults makes out what is left of it (decision 0008). Gives every problem. */
export function inspect<T>(schema: Joi.Schema<T>, input: unknown): Inspected<T> {
  const validated = validate(schema, input);
  if (isValid(validated)) return { ...validated, usable: validated.value };
  const { problems, paths, isCutShort } = validated;
  const usable = isCutShort ? {} : withoutFaults(schema, input, paths);
  return { value: undefined, usable: usable as Usable<T>, problems };
}

/** The input without what is at `faults`, converted by the schema as a whole one would be. */
function withoutFaults(schema: Joi.Schema, input: unknown, faults: Path[]): unknown {
  const lenient = leniently(schema);
  const rest = isJsonObject(input) ? structuredClone(input) : {};
  let wrong = faults;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    for (const path of wrong) takeOut(rest, path);
    const validated = validate(lenient, rest);
    wrong = isValid(validated) ? [] : validated.paths.filter((path) => path.length > 0);
    if (wrong.length > 0) continue;
    const value: unknown = validated.value;
    // A part that was given and is wrong must not appear as its default.
    for (const path of faults) blank(value, path);
    return value;
  }
  return {};
}

const lenientSchemas = new WeakMap<Joi.Schema, Joi.Schema>();

function leniently(schema: Joi.Schema): Joi.Schema {
  const known = lenientSchemas.get(schema);
  if (known !== undefined) return known;
  const made = lenientCopy(schema);
  lenientSchemas.set(schema, made);
  return made;
}

/** The schema with nothing in it required and gaps in its lists allowed: joi converts nothing beside a fault. */
function lenientCopy(schema: Joi.Schema): Joi.Schema {
  // The types call `each` a boolean; joi itself uses it so, in `tailor`.
  const copy = schema
    .$_modify({ each: lenientCopy as never, ref: false })
    .$_mutateRebuild()
    .optional();
  return copy.type === 'array' ? (copy as Joi.ArraySchema).sparse() : copy;
}

function takeOut(value: unknown, path: Path): void {
  const [holder, last] = placeIn(value, path);
  if (holder !== undefined && !Array.isArray(holder)) delete holder[last];
  else blank(value, path);
}

function blank(value: unknown, path: Path): void {
  const [holder, last] = placeIn(value, path);
  if (holder !== undefined && Array.isArray(holder) === (typeof last === 'number')) holder[last] = undefined;
}

/** What holds the value at `path`, and under which key; nothing where the path leads nowhere. */
function placeIn(
  value: unknown,
  path: Path,
): [Record<string | number, unknown> | undefined, string | number] {
  const last = path.at(-1);
  let holder = value;
  for (const part of path.slice(0, -1)) holder = isContainer(holder) ? holder[part] : undefined;
  return last === undefined || !isContainer(holder) ? [undefined, ''] : [holder, last];
}

function isContainer(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
