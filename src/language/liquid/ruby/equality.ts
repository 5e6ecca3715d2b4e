import { type Context, defaultOperators, toValue } from 'liquidjs';

import { compareNumbers, isNumeric } from '../../../platform/json/exact-number.js';
import { isNothing } from '../../values/values.js';

/** Two lists being compared, and the next index. */
interface Frame {
  left: unknown[];
  right: unknown[];
  index: number;
}

/**
 * Liquid's `==`: compares lists by element, everything else as liquidjs does. The list comparison of liquidjs checks no
 * time limit, and a list may contain another one many times.
 */
export function* equals(left: unknown, right: unknown, context: Context): Generator<unknown, boolean> {
  const [a, b]: unknown[] = [toValue(left), toValue(right)];
  if (isNothing(a) && isNothing(b)) return true;
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (!Array.isArray(a) || !Array.isArray(b)) {
    // A literal nil must not ask itself whether it equals `blank`: `blank` knows that it does.
    const [one, other] = [isNothing(a) ? null : left, isNothing(b) ? null : right];
    return (yield equalsByDefault(one, other, context)) === true;
  }
  return isSameList(a, b, () => context.renderLimit.check(performance.now()));
}

const equalsByDefault = defaultOperators['=='] as (
  left: unknown,
  right: unknown,
  context: Context,
) => unknown;

function isSameValue(left: unknown, right: unknown): boolean {
  return left === right || (isNumeric(left) && isNumeric(right) && compareNumbers(left, right) === 0);
}

function isSameList(left: unknown[], right: unknown[], checkTime: () => void): boolean {
  const frames: Frame[] = [{ left, right, index: 0 }];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.left.length !== frame.right.length) return false;
    if (frame.left === frame.right || frame.index === frame.left.length) {
      frames.pop();
      continue;
    }
    checkTime();
    const [a, b] = [frame.left[frame.index], frame.right[frame.index]];
    frame.index += 1;
    if (Array.isArray(a) && Array.isArray(b)) frames.push({ left: a, right: b, index: 0 });
    else if (!isSameValue(toValue(a), toValue(b))) return false;
  }
  return true;
}
