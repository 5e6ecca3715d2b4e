import { TemplateError } from '../../../../platform/text/template-error.js';
import { listOf, textOf, valueAt } from '../../../values/values.js';
import { type FunctionCall, Lambda } from '../formula-function.js';

/** Reads a value from an element: the result of a lambda, or the value at a path. */
export type ElementReader = (item: unknown, second: unknown) => unknown;

/**
 * Returns the reader for a function's argument: a LAMBDA of the element and its index, or a path such as
 * `a.b[0]`. Without an argument it returns the element itself.
 */
export function readerOf(selector: unknown, { step }: FunctionCall): ElementReader {
  if (selector === undefined || selector === null) return (item) => item;
  if (selector instanceof Lambda) {
    return (item, second) => {
      step();
      return selector.call([item, second]);
    };
  }
  if (typeof selector === 'object') throw new TemplateError('a LAMBDA or the text of a path is required');
  const path = textOf(selector);
  return (item) => {
    step();
    return valueAt(item, path) ?? null;
  };
}

/** The same for the entries of an object: a LAMBDA receives the value, or key and value; a path is read from the value. */
export function entryReaderOf(
  selector: unknown,
  call: FunctionCall,
): (key: string, value: unknown) => unknown {
  if (selector instanceof Lambda) {
    return (key, value) => {
      call.step();
      return selector.callWithEntry(key, value);
    };
  }
  const read = readerOf(selector, call);
  return (key, value) => read(value, key);
}

/** @throws TemplateError for any other value. */
export function lambdaFrom(value: unknown): Lambda {
  if (value instanceof Lambda) return value;
  throw new TemplateError('a LAMBDA is required, as in LAMBDA(x, x > 1)');
}

/**
 * Joins the elements of several lists: counts them before copying, because many of the lists may be the same long
 * one.
 */
export function flatItems(lists: readonly unknown[], { step }: FunctionCall): unknown[] {
  const result: unknown[] = [];
  for (const list of lists) {
    const items = itemsFrom(list);
    step(items.length);
    for (const item of items) result.push(item);
  }
  return result;
}

/** Returns a list unchanged, an empty list for NULL, a list with any other value as its only element; limited in length. */
export function itemsFrom(value: unknown): unknown[] {
  if (value instanceof Lambda) throw new TemplateError('a list is required, not a LAMBDA');
  return listOf(value);
}
