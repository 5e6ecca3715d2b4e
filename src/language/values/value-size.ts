import { ExactNumber } from '../../platform/json/exact-number.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { MAX_VALUE_DEPTH } from '../limits.js';

export interface SizeOptions {
  /** Name of the value in the message. */
  what?: string;
  /** Spaces of indentation per level of its JSON. */
  indent?: number;
  /** The full limit, shown in the message even if part of it is used. */
  wholeLimit?: number;
}

/**
 * Returns about how many characters `value` takes as JSON. Stops as soon as `limit` is exceeded, so that a value that
 * references the same part many times (each level doubles it) costs no more than the limit.
 * @throws TemplateError when it is larger than `limit`, or nested too deep to be written as JSON.
 */
export function sizeWithin(
  value: unknown,
  limit: number,
  { what = 'value', indent = 0, wholeLimit = limit }: SizeOptions = {},
): number {
  if (typeof value === 'string') {
    refuse(value.length + 2);
    return value.length + 2;
  }
  const walk: Walk = { size: 0, pending: [], depths: [], indent };
  add(walk, value, 0);
  for (let next = walk.pending.pop(); next !== undefined; next = walk.pending.pop()) {
    const depth = (walk.depths.pop() ?? 0) + 1;
    if (depth > MAX_VALUE_DEPTH) {
      throw new TemplateError(`The ${what} is nested deeper than ${MAX_VALUE_DEPTH} levels`);
    }
    const keys = Array.isArray(next) ? undefined : Object.keys(next);
    const items: unknown[] = Array.isArray(next) ? next : [];
    // Counts all elements before visiting any, and pending ones too.
    refuse(walk.size + walk.pending.length + (keys ?? items).length);
    for (const item of items) refuse(add(walk, item, depth));
    for (const key of keys ?? []) {
      walk.size += key.length + 4;
      refuse(add(walk, (next as Record<string, unknown>)[key], depth));
    }
  }
  refuse(walk.size);
  return walk.size;

  function refuse(size: number): void {
    if (size > limit) throw new TemplateError(`The ${what} is larger than ${wholeLimit} characters`);
  }
}

/** `pending` are lists and objects not visited yet; `depths` are their depths. */
interface Walk {
  size: number;
  pending: object[];
  depths: number[];
  indent: number;
}

function add(walk: Walk, value: unknown, depth: number): number {
  walk.size += walk.indent * depth;
  if (typeof value === 'string') walk.size += value.length + 2;
  else if (value instanceof ExactNumber) walk.size += String(value).length;
  else if (typeof value !== 'object' || value === null) walk.size += 5;
  else {
    walk.size += 2;
    walk.pending.push(value);
    walk.depths.push(depth);
  }
  return walk.size;
}
