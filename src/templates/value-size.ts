import { TemplateError } from './template.js';

/**
 * About how many characters `value` takes as JSON. The walk ends as soon as `limit` is passed, so that a
 * value that refers to the same part many times (each pass doubles it) costs no more than the limit.
 * @throws TemplateError when it is larger than `limit`.
 */
export function sizeWithin(value: unknown, limit: number, what = 'value'): number {
  const pending: unknown[] = [value];
  let size = 0;
  while (pending.length > 0) {
    size += ownSize(pending.pop(), pending);
    // What waits counts too: a list is charged before its elements are looked at.
    if (size + pending.length > limit)
      throw new TemplateError(`The ${what} is larger than ${limit} characters`);
  }
  return size;
}

function ownSize(value: unknown, pending: unknown[]): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  if (Array.isArray(value)) {
    for (const item of value) pending.push(item);
    return 2;
  }
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += key.length + 4;
    pending.push(item);
  }
  return size;
}
