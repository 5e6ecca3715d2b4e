import type { JsonObject, JsonValue } from '../../../src/platform/json.js';

/** A text of about so many characters, in one piece as it comes out of a request. */
export function filled(unit: string, length: number): string {
  const text = unit.repeat(Math.floor(length / unit.length));
  return JSON.parse(JSON.stringify(text)) as string;
}

/** 0, 1, 2 … */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** `{n, s}` so many times. */
export function rows(count: number): { n: number; s: string }[] {
  return numbers(count).map((index) => ({ n: index % 7, s: `x${index}` }));
}

/** An object of so many keys. */
export function wideObject(count: number): JsonObject {
  return Object.fromEntries(numbers(count).map((index) => [`k${index}`, index]));
}

/** Lists in one another, so many levels. */
export function nestedList(depth: number, inside: JsonValue = 1): JsonValue {
  let value = inside;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** A value of some megabytes. */
export function largeValue(): JsonObject {
  return { a: numbers(500_000).map((n) => ({ n })) };
}

/** `f(f(f(start)))`, so many times. */
export function wrapped(times: number, start: string, wrap: (inner: string) => string): string {
  let text = start;
  for (let index = 0; index < times; index += 1) text = wrap(text);
  return text;
}

/** As long as any text may be in a render. */
export const LONGEST = 16 * 1024 * 1024 - 1;
