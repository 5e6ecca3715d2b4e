import { TemplateError } from '../../../platform/text/template-error.js';
import { MAX_LIST_ELEMENTS } from '../../limits.js';
import { listOf } from '../../values/values.js';

/** Returns the elements of a list and of the lists in it, as Liquid's filters see them. */
export function flattened(value: unknown): unknown[] {
  const result: unknown[] = [];
  const pending: unknown[] = listOf(value).toReversed();
  while (pending.length > 0) {
    const item = pending.pop();
    if (!Array.isArray(item)) result.push(item);
    else for (let index = item.length - 1; index >= 0; index -= 1) pending.push(item[index]);
    if (result.length + pending.length > MAX_LIST_ELEMENTS) {
      throw new TemplateError(`a list of more than ${MAX_LIST_ELEMENTS} elements is too long`);
    }
  }
  return result;
}
