import type Joi from 'joi';
import { type Problem, Unprocessable } from '../errors.js';
import { ExactNumber } from '../json/exact-number.js';

/** Most problems in one response; more are no use to a reader. */
const MAX_PROBLEMS = 100;

/** Each problem names its path; `"5"` is accepted as 5. */
const OPTIONS: Joi.ValidationOptions = { errors: { label: 'path' } };

/** The converted input, or all its faults. */
export type ValidatedInput<T> = { value: T; problems: [] } | { value: undefined; problems: Problem[] };

/** Most values in an input that is searched for all problems. The largest real story has 5,000. */
const MAX_VALUES = 20_000;

/** Added when only the first problem was searched for. */
const ONLY_THE_FIRST: Problem = { message: 'The input is so large that only its first problem is reported' };

/** Joi's result for an input. */
export type Validated<T> =
  | { value: T; problems: [] }
  | { value: unknown; problems: Problem[]; paths: Path[]; isCutShort: boolean };

export type Path = readonly (string | number)[];

/**
 * Returns joi's result for `input`, with every problem. In a larger input only the first is searched for: a million
 * invalid ids would take joi ten seconds, during which the process serves no other request.
 */
export function validate<T>(schema: Joi.Schema<T>, input: unknown): Validated<T> {
  const first = schema.validate(input, { ...OPTIONS, abortEarly: true });
  if (first.error === undefined) return withoutHollow(first.value);
  const isCutShort = isLarge(input);
  const { value, error } = isCutShort ? first : schema.validate(input, { ...OPTIONS, abortEarly: false });
  const { details } = error ?? first.error;
  const problems = details.map(({ message, path }) => problemAt(wholeNamed(message, path), path));
  if (isCutShort) problems.push(ONLY_THE_FIRST);
  return { value, problems, paths: details.map(({ path }) => path), isCutShort };
}

/** The name of a whole input in messages: there are fields that are called `value`. */
const WHOLE = 'input';

/** joi calls the whole input "value". */
function wholeNamed(message: string, path: Path): string {
  return path.length === 0 ? message.replace(/^"value"/, `"${WHOLE}"`) : message;
}

/** joi makes an object without digits of an exact number, if it expects an object with certain keys. */
function withoutHollow<T>(value: T): Validated<T> {
  const path = hollowPath(value, []);
  if (path === undefined) return { value, problems: [] };
  const name = path.length === 0 ? WHOLE : fieldPath(path);
  const problems = [problemAt(`"${name}" must be of type object`, path)];
  return { value, problems, paths: [path], isCutShort: false };
}

function hollowPath(value: unknown, path: Path): Path | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (ExactNumber.isHollow(value)) return path;
  if (Array.isArray(value)) return firstOf(value.entries(), path);
  return firstOf(Object.entries(value), path);
}

function firstOf(entries: Iterable<[string | number, unknown]>, path: Path): Path | undefined {
  for (const [key, item] of entries) {
    if (typeof item !== 'object' || item === null) continue;
    const found = hollowPath(item, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isLarge(input: unknown): boolean {
  const waiting = [input];
  for (let seen = 0; waiting.length > 0; seen++) {
    const value = waiting.pop();
    const parts: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
    if (seen + waiting.length + parts.length > MAX_VALUES) return true;
    waiting.push(...parts);
  }
  return false;
}

/** Validates `input` against `schema`; returns every problem at once (spec §1.3). */
export function check<T>(schema: Joi.Schema<T>, input: unknown): ValidatedInput<T> {
  const validated = validate(schema, input);
  if (isValid(validated)) return validated;
  return { value: undefined, problems: firstProblems(validated.problems) };
}

/** Returns true if there is no problem. */
export function isValid<T>(validated: Validated<T>): validated is { value: T; problems: [] } {
  return validated.problems.length === 0;
}

/**
 * Returns the validated and converted input.
 * @throws Unprocessable with every problem.
 */
export function valid<T>(schema: Joi.Schema<T>, input: unknown): T {
  const { value, problems } = check(schema, input);
  if (problems.length > 0) throw new Unprocessable(problems);
  return value as T;
}

/** A field path as spec §1.3 writes it: `filters[1].operator`. Empty for the whole input. */
export function fieldPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The problem of the field at `path`. */
export function problemAt(message: string, path: readonly (string | number)[]): Problem {
  return path.length === 0 ? { message } : { message, details: fieldPath(path) };
}

/** The first hundred problems, and the number of the others. */
export function firstProblems(problems: Problem[]): Problem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), { message: `… and ${more} more` }];
}

/**
 * Joins the problems of an input's shape and of its meaning. Problems of meaning are left out for a field with a shape
 * problem, and for fields inside it.
 */
export function mergedProblems(shape: readonly Problem[], meaning: readonly Problem[]): Problem[] {
  const places = new Set(shape.map(({ details }) => details));
  const isNew = ({ details }: Problem) =>
    details === undefined || !placesAround(details).some((place) => places.has(place));
  return [...shape, ...meaning.filter(isNew)];
}

/** `a`, `a[1]` and `a[1].b` for `a[1].b`. */
function placesAround(place: string): string[] {
  const ends = [...place.matchAll(/[.[]/g)].map(({ index }) => index);
  return [...ends.map((end) => place.slice(0, end)), place];
}

/** Returns what `work` returns, or the problems of its Unprocessable; other errors are thrown. */
export async function attempt<T>(
  work: () => T | Promise<T>,
): Promise<{ value: T; problems: [] } | { value: undefined; problems: Problem[] }> {
  try {
    return { value: await work(), problems: [] };
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return { value: undefined, problems: error.problems };
  }
}
