import type { ValueFilter } from '../../filters/value-filter.js';
import type { FunctionBody } from './formula-function.js';

const NO_NAMED: ReadonlyMap<string, unknown> = new Map();

/** Returns a Liquid filter as a function: the first value is the filter's input, the others its arguments. */
export function viaFilter(filter: ValueFilter | undefined): FunctionBody {
  if (filter === undefined) throw new Error('there is no such filter');
  return ([value, ...args], { isDecimal, checkTime, charge }) =>
    filter(value, { args, named: NO_NAMED, isDecimal, checkTime, charge });
}
