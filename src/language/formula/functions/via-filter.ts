import type { ValueFilter } from '../../filters/value-filter.js';
import { isNothing } from '../../values/values.js';
import type { FunctionBody } from './formula-function.js';

const NO_NAMED: ReadonlyMap<string, unknown> = new Map();

/** Returns a Liquid filter as a function: the first value is the filter's input, the others its arguments. */
export function viaFilter(filter: ValueFilter | undefined): FunctionBody {
  if (filter === undefined) throw new Error('unknown filter');
  return ([value, ...values], { isDecimal, checkTime, charge }) => {
    // A value that is NULL counts as not given.
    const args = values.slice(0, values.findLastIndex((one) => !isNothing(one)) + 1);
    return filter(value, { args, named: NO_NAMED, isDecimal, checkTime, charge });
  };
}
