import type { FunctionBody } from '../formula-function.js';
import { itemsFrom } from './selectors.js';

/** Returns lists of the elements at the same position; the first list says how many. */
export const pairedLists: FunctionBody = (lists, { step }) =>
  itemsFrom(lists[0]).map((item, index) => {
    step(lists.length);
    return [item, ...lists.slice(1).map((list) => itemsFrom(list)[index] ?? null)];
  });
