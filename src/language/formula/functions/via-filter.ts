import type { ValueFilter } from '../../filters/value-filter.js';
import type { FunctionBody } from './formula-function.js';

const NO_NAMED: ReadonlyMap<string, unknown> = new Map();

/** A filter of Liquid as a function: its value is the first one, its arguments follow. */
export function viaFilter(filter: ValueFilter | undefined): FunctionBody {
  if (filter === undefined) throw new Error('there is no such filter');
  return ([value, ...args], { isDecimal, checkTime, charge }) =>
    filter(value, { args, named: NO_NAMED, isDecimal, checkTime, charge });
}
