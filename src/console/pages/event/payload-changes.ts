import { hasEntries, LongNumber } from '../../text/exact-json.js';
import { formulaOf } from '../../ui/json-view/value-path.js';

/** A place at which two values differ; undefined stands for an absent one. */
export interface PayloadChange {
  path: string;
  before: unknown;
  after: unknown;
}

/** The differences of two values that are shown. */
export interface PayloadChanges {
  changes: PayloadChange[];
  /** There are more of them. */
  more: boolean;
}

const MOST = 2_000;

type Steps = (string | number)[];

/** Returns the places at which two values differ, in their order. Elements of lists are compared by their place. */
export function changesOf(before: unknown, after: unknown): PayloadChanges {
  const changes: PayloadChange[] = [];
  // A stack, not a recursion: a payload may be nested some thousand deep.
  const stack: [Steps, unknown, unknown][] = [[[], before, after]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [steps, one, other] = next;
    if (isSame(one, other)) continue;
    const keys = commonKeys(one, other);
    if (keys === undefined) {
      if (changes.length === MOST) return { changes, more: true };
      changes.push({ path: pathOf(steps), before: one, after: other });
      continue;
    }
    for (const key of keys.toReversed()) {
      stack.push([[...steps, key], valueIn(one, key), valueIn(other, key)]);
    }
  }
  return { changes, more: false };
}

/** The keys of both, if both are lists or both are objects. */
function commonKeys(one: unknown, other: unknown): (string | number)[] | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => at);
  }
  if (!isObject(one) || !isObject(other)) return undefined;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

const isObject = (value: unknown): value is object => hasEntries(value) && !Array.isArray(value);

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof LongNumber && other instanceof LongNumber) return one.text === other.text;
  return Object.is(one, other);
}

function valueIn(value: unknown, key: string | number): unknown {
  return Object.hasOwn(value as object, key) ? (value as Record<string | number, unknown>)[key] : undefined;
}

const pathOf = (steps: Steps) => (steps.length === 0 ? 'whole value' : formulaOf(steps).slice(2, -2));
