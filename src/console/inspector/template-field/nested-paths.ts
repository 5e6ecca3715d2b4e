import { hasEntries } from '../../text/exact-json.js';
import type { Step } from './reference-before.js';

/** A place in a value, and what stands there. */
export interface NestedValue {
  steps: readonly Step[];
  value: unknown;
}

const MOST = 1_000;
const DEEPEST = 8;

/** Returns the places below the entries of a value, the nearest first. Of a list, only the first element is looked into. */
export function placesBelow(value: unknown): NestedValue[] {
  const found: NestedValue[] = [];
  let level: readonly NestedValue[] = entriesOf({ steps: [], value });
  for (let depth = 1; depth < DEEPEST && level.length > 0 && found.length < MOST; depth += 1) {
    level = level.flatMap(entriesOf).slice(0, MOST - found.length);
    found.push(...level);
  }
  return found;
}

function entriesOf({ steps, value }: NestedValue): NestedValue[] {
  if (!hasEntries(value)) return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [{ steps: [...steps, 0], value: value[0] }];
  return Object.entries(value)
    .slice(0, MOST)
    .map(([key, item]) => ({ steps: [...steps, key], value: item }));
}
