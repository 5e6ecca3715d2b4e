import type Joi from 'joi';
import { type Problem, Unprocessable } from './errors.js';

/** More problems than this in one answer help nobody. */
const MAX_PROBLEMS = 100;

/** All problems are reported, each named by its path; `"5"` counts as 5. */
const OPTIONS: Joi.ValidationOptions = { abortEarly: false, errors: { label: 'path' } };

/** What joi made of an input, or everything that is wrong with it. */
export type Checked<T> = { value: T; problems: [] } | { value: undefined; problems: Problem[] };

/** Checks `input` against `schema`; gives every problem at once (decisions §1, Error body). */
export function check<T>(schema: Joi.Schema<T>, input: unknown): Checked<T> {
  const { error, value } = schema.validate(input, OPTIONS);
  if (error === undefined) return { value, problems: [] };
  const problems = error.details.map(({ message, path }) => problemAt(message, path));
  return { value: undefined, problems: limited(problems) };
}

/**
 * The checked and converted input.
 * @throws Unprocessable with every problem.
 */
export function valid<T>(schema: Joi.Schema<T>, input: unknown): T {
  const { value, problems } = check(schema, input);
  if (problems.length > 0) throw new Unprocessable(problems);
  return value as T;
}

/** A field path as decisions §1 writes it: `filters[1].operator`. Empty for the whole input. */
export function fieldPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

function problemAt(message: string, path: readonly (string | number)[]): Problem {
  return path.length === 0 ? { message } : { message, details: fieldPath(path) };
}

/** The first hundred problems, and how many more there are. */
export function limited(problems: Problem[]): Problem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), { message: `… and ${more} more` }];
}
