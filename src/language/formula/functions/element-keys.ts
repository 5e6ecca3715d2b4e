import { keyOf } from '../../filters/list-filters.js';
import type { FunctionCall } from './formula-function.js';
import { itemsFrom } from './selectors.js';

/** What the elements of a list are told apart by: they are equal by type and content. */
export function keysOf(list: unknown, call: FunctionCall): Set<string> {
  const keys = new Set<string>();
  for (const item of itemsFrom(list)) keys.add(keyAt(item, call));
  return keys;
}

/** An element may take long: each of a list may be the same large value. */
export function keyAt(item: unknown, { step, checkTime }: FunctionCall): string {
  step();
  checkTime();
  return keyOf(item);
}
