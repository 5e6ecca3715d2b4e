import type Joi from 'joi';
import type { Problem } from '../errors.js';
import { isJsonObject } from '../json.js';
import { problemAt } from './validate.js';

/** Joi takes some 20 µs for each name that it does not know. */
const MOST_FOR_JOI = 100;

/**
 * Returns `input` without most of the names that `schema` refuses, and a problem for each one that it left out. A few stay,
 * so that joi refuses them among the other problems. Values for which `isFree` is true are left out without a problem.
 */
export function takeStrangers(
  schema: Joi.ObjectSchema,
  input: unknown,
  isFree: (value: unknown) => boolean = () => false,
): { rest: unknown; problems: Problem[] } {
  if (!isJsonObject(input) || Object.keys(input).length <= MOST_FOR_JOI) return { rest: input, problems: [] };
  const known = namesOf(schema);
  if (known === undefined) return { rest: input, problems: [] };
  const strangers = Object.keys(input).filter((name) => !known.has(name));
  const left = new Set(strangers.slice(MOST_FOR_JOI));
  if (left.size === 0) return { rest: input, problems: [] };
  return {
    rest: Object.fromEntries(Object.entries(input).filter(([name]) => !left.has(name))),
    problems: [...left]
      .filter((name) => !isFree(input[name]))
      .map((name) => problemAt(`"${name}" is not allowed`, [name])),
  };
}

/** The names that an object may have; undefined: any. */
function namesOf(schema: Joi.ObjectSchema): ReadonlySet<string> | undefined {
  const { keys, patterns, renames } = schema.$_terms as Record<string, { key: string }[] | null | undefined>;
  const isOpen = !keys || patterns || renames || schema.$_getFlag('unknown') === true;
  return isOpen ? undefined : new Set(keys.map(({ key }) => key));
}
