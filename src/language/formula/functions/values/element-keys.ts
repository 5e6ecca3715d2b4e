import { equalityKeyOf } from '../../../filters/lists/list-filters.js';
import type { FunctionCall } from '../formula-function.js';
import { itemsFrom } from './selectors.js';

/** Returns the keys of a list's elements: they are the same for equal type and content. */
export function keysOf(list: unknown, call: FunctionCall): Set<string> {
  const keys = new Set<string>();
  for (const item of itemsFrom(list)) keys.add(keyAt(item, call));
  return keys;
}

/** Checks the time for each element: all of a list may be the same large value. */
export function keyAt(item: unknown, { step, checkTime }: FunctionCall): string {
  step();
  checkTime();
  return equalityKeyOf(item);
}
