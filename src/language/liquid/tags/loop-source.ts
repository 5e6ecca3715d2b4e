import { type Context, Drop, evalToken, type Hash, toValue, type ValueToken } from 'liquidjs';
import { isRecord, numberOf, textOf } from '../../values/values.js';
import { shortened } from '../../../platform/text/shortened.js';
import { TemplateError } from '../../../platform/text/template-error.js';

/** The source of a loop, as written: `x in list limit: 2 offset: 1`. */
export interface LoopSource {
  variable: string;
  collection: ValueToken;
  settings: Hash;
}

/** The first element of a loop in its collection, and the number of elements; undefined: all. */
export interface Span {
  offset: number;
  limit: number | undefined;
}

/** The elements of a loop. */
export interface LoopElements {
  elements: unknown[];
  isText: boolean;
}

/** Returns the elements of a loop: a text is one element, an object a list of its pairs; undefined for null and false. */
export function* elementsOf(
  { collection }: LoopSource,
  context: Context,
): Generator<unknown, LoopElements | undefined> {
  const value: unknown = toValue(yield evalToken(collection, context));
  if (value === undefined || value === null || value === false) return undefined;
  if (typeof value === 'string') return { elements: value === '' ? [] : [value], isText: true };
  return { elements: listed(value, context), isText: false };
}

function listed(value: unknown, context: Context): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value) || value instanceof Drop) return [];
  const pairs = Object.entries(value);
  context.memoryLimit.use(2 * pairs.length);
  return pairs;
}

/**
 * Returns the part of the elements within the span; one that begins before the list takes what is left of it. A text
 * is not divided, as in Ruby's Liquid.
 */
export function elementsWithin({ elements, isText }: LoopElements, { offset, limit }: Span): unknown[] {
  if (isText) return elements;
  const end = limit === undefined ? elements.length : offset + limit;
  return elements.slice(Math.max(offset, 0), Math.max(end, 0));
}

/**
 * Returns the whole number of a setting such as `limit`, undefined for null.
 * @throws TemplateError for a value that is no number.
 */
export function* integerSetting(
  source: LoopSource,
  name: string,
  context: Context,
): Generator<unknown, number | undefined> {
  const value: unknown = yield settingOf(source, name, context);
  if (value === undefined || value === null) return undefined;
  const text = textOf(value);
  if (!/^\s*[-+]?\d/.test(text)) {
    throw new TemplateError(`${name} is "${shortened(text, 100)}", which is not a whole number`);
  }
  return Math.trunc(numberOf(value));
}

/** Returns the value of a setting, undefined if it is not written. */
export function* settingOf(
  { settings }: LoopSource,
  name: string,
  context: Context,
): Generator<unknown, unknown> {
  const token = settings.hash[name];
  return token === undefined ? undefined : (toValue(yield evalToken(token, context)) ?? null);
}

/** Checks the time of a render once in so many steps: a loop over an empty body has no other place to check it. */
const STEPS_BETWEEN_CHECKS = 256;

/** Returns a function to be called at each step of a loop; it throws when the time of the render is used up. */
export function stepCheck({ renderLimit }: Context): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % STEPS_BETWEEN_CHECKS === 0) renderLimit.check(performance.now());
  };
}
