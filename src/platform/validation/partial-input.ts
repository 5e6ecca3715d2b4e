import type Joi from 'joi';
import type { Problem } from '../errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { pack, unpack } from '../json/portable-values.js';
import { isValid, type Path, validate } from './validate.js';

type Leaf = string | number | boolean | null | undefined | Date;
type IsAnyObject<T> = [T, JsonObject] extends [JsonObject, T] ? true : false;

/**
 * An input without its invalid parts. Each is undefined, but its key exists, and list elements keep their indexes.
 * A part that accepts any JSON, or any object, is complete or undefined. A complete input has this type too, so that the
 * same checks serve both.
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

/** The validated input: the whole value, or all faults of its shape and the usable parts. */
export type Inspected<T> =
  | { value: T; usable: T; problems: [] }
  | { value: undefined; usable: Usable<T>; problems: Problem[] };

/** Returns true if a problem names this part: then it is undefined, but its key exists. */
export function isFaulty<Input extends object>(input: Input, key: keyof Input & string): boolean {
  return input[key] === undefined && Object.hasOwn(input, key);
}

/** Removing one part may make another invalid (a field that requires the first); no schema has a longer chain. */
const MAX_PASSES = 5;

/** Validates `input`, an object; on faults also returns its usable parts (notes/api.md, Every problem at once). Returns every problem. */
export function inspect<T>(schema: Joi.Schema<T>, input: unknown): Inspected<T> {
  const validated = validate(schema, input);
  if (isValid(validated)) return { ...validated, usable: validated.value };
  const { problems, paths, isCutShort } = validated;
  const usable = isCutShort ? {} : withoutFaults(schema, input, paths);
  return { value: undefined, usable: usable as Usable<T>, problems };
}

/** Returns the input without the parts at `faults`, converted by the schema like a complete one. */
function withoutFaults(schema: Joi.Schema, input: unknown, faults: Path[]): unknown {
  const lenient = leniently(schema);
  const rest = isJsonObject(input) ? copyOf(input) : {};
  let wrong = faults;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    for (const path of wrong) takeOut(rest, path);
    const validated = validate(lenient, rest);
    wrong = isValid(validated) ? [] : validated.paths.filter((path) => path.length > 0);
    if (wrong.length > 0) continue;
    const value: unknown = validated.value;
    // A given but invalid part must not be replaced by its default.
    for (const path of faults) blank(value, path);
    return value;
  }
  return {};
}

/** A plain clone would lose exact numbers, and cannot copy ordered objects. */
function copyOf(input: JsonObject): JsonObject {
  return unpack(structuredClone(pack(input))) as JsonObject;
}

const lenientSchemas = new WeakMap<Joi.Schema, Joi.Schema>();

function leniently(schema: Joi.Schema): Joi.Schema {
  const known = lenientSchemas.get(schema);
  if (known !== undefined) return known;
  const made = lenientCopy(schema);
  lenientSchemas.set(schema, made);
  return made;
}

/** Returns the schema with all parts optional and gaps in lists allowed: joi does not convert an input with faults. */
function lenientCopy(schema: Joi.Schema): Joi.Schema {
  // The types declare `each` as a boolean; joi itself passes a function, in `tailor`.
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

/** Returns the parent of the value at `path`, and its key; no parent if the path does not exist. */
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
