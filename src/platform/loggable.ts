import { withoutQuotedValues } from './driver-text.js';
import { isError, plainError } from './plain-error.js';

/** Keys under which libraries store statements, their values and the arguments of commands. */
const LEFT_OUT = new Set(['sql', 'sqlMessage', 'parameters', 'bindings', 'command', 'commandArgs']);
const MAX_DEPTH = 8;
const MAX_ITEMS = 1_000;

/**
 * Returns the value as a log line may contain it, at any depth: errors as `plainError` returns them, no statement, and
 * no value that a store's error quotes. Deeply nested and circular values are cut off.
 */
export function loggable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutQuotedValues(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isError(value)) return plainError(value);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => loggable(item, depth + 1));
  if (value instanceof Map || value instanceof Set) return loggable([...value], depth);
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  return loggableObject(value, depth);
}

/** Copies a plain object; an object with `toJSON` is replaced by its result. */
function loggableObject(value: object, depth: number): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return loggable(toJSON.call(value), depth + 1);
  const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, loggable(item, depth + 1)]));
}
