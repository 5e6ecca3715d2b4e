import {
  type Context,
  Drop,
  type FilterImplOptions,
  type Liquid,
  toValue,
  toValueSync,
  Value,
} from 'liquidjs';
import { TemplateError } from '../../platform/text/template-error.js';
import { MAX_OUTPUT_CHARACTERS, MAX_TAG_CHARACTERS } from '../limits.js';
import { argumentFaults } from '../filters/argument-counts.js';
import type { FilterCall, ValueFilter } from '../filters/value-filter.js';
import { isFraction } from '../values/decimals.js';
import { ARITHMETIC_FILTERS } from '../filters/number-filters.js';
import { Decimal } from './ruby/decimal.js';
import { callWithSecrets, refuseMarkedKeys } from '../secrets/secret-calls.js';
import { leaveIfLarge } from '../../platform/runtime/time-limit.js';
import { encodingFilters } from '../filters/encoding-filters.js';
import { flattened } from '../filters/lists/flattened.js';
import { htmlFilters } from '../filters/html-filters.js';
import { textFilters } from '../filters/text-filters.js';
import { isDecimalText, numberOf, textOf, valueAt } from '../values/values.js';
import { outputText, untyped } from './ruby/output.js';
import { rewriteTag } from './rewrite-tag.js';
import { scopeOf } from './render-scope.js';

interface HandlerThis {
  token: { args: unknown[] };
  context: Context;
  liquid: Liquid;
}

const CHARACTERS_OF_UNIT = 8;

/** Filters that see a number with a decimal type as its text: `2.0`. */
const TEXT_FILTERS = new Set(Object.keys({ ...textFilters, ...htmlFilters, ...encodingFilters }));

/** Wraps a filter for liquidjs: sorts arguments, limits input and output, adds the filter's name to errors. */
export function guarded(name: string, filter: ValueFilter): FilterImplOptions {
  const operands = operandsOf(name);
  const argumentFault = argumentFaults(name);
  return function (this: HandlerThis, value: unknown, ...given: unknown[]): unknown {
    const { memoryLimit, renderLimit } = this.context;
    const checkTime = () => renderLimit.check(performance.now());
    const charge = (elements: number) => {
      memoryLimit.use(elements);
      leaveIfLarge(elements);
    };
    checkTime();
    const input = TEXT_FILTERS.has(name) ? outputText(value) : untyped(value);
    refuseLongText(input);
    try {
      refuse(argumentFault(this.token.args));
      const isDecimal = operands(value, given, checkTime).some(isDecimalValue);
      const { args, named } = sortArguments(this.token.args, given);
      const evaluator = (element: string, expression: string) => evaluatorOf(this, element, expression);
      const call = { named, isDecimal, checkTime, charge, evaluator };
      const { secrets, credentials } = scopeOf(this.context);
      if (secrets === undefined && credentials.size > 0) refuseMarkedKeys(name);
      const result =
        secrets === undefined
          ? filter(input, { args, ...call })
          : callWithSecrets({
              name,
              values: [input, ...args],
              secrets,
              run: ([first, ...rest]) => filter(first, { args: rest, ...call }),
            });
      refuseLongText(result);
      const units = unitsOf(result);
      memoryLimit.use(units);
      leaveIfLarge(units * CHARACTERS_OF_UNIT);
      // `default` keeps the type of what it returns.
      if (name === 'default' && value instanceof Decimal && Object.is(result, input)) return value;
      return isDecimal && Number.isInteger(result) ? new Decimal(Number(result)) : result;
    } catch (error) {
      if (error instanceof TemplateError)
        throw new TemplateError(`${name}: ${error.message}`, { cause: error });
      throw error;
    }
  };
}

/** Returns a function for the value of an expression such as `item.n > 1` for an element with the name `item`. */
function evaluatorOf({ context, liquid }: HandlerThis, name: string, expression: string) {
  if (expression.length > MAX_TAG_CHARACTERS) throw new TemplateError('the expression is too long');
  const value = new Value(rewriteTag('if', expression).text, liquid);
  return (element: unknown): unknown => {
    context.renderLimit.check(performance.now());
    context.push(Object.assign(Object.create(null) as object, { [name]: element }));
    try {
      return toValueSync(value.value(context, true));
    } finally {
      context.pop();
    }
  };
}

type Operands = (value: unknown, given: unknown[], checkTime: () => void) => unknown[];
const NONE: unknown[] = [];

/** Returns a function for the operands that make a filter's result decimal. */
function operandsOf(name: string): Operands {
  if (name === 'at_least' || name === 'at_most') return chosenOperand(name);
  if (ARITHMETIC_FILTERS.has(name)) return (value, given) => [value, ...given];
  // Rounding to digits keeps decimals; without digits the result is an integer.
  if (name === 'round') return (value, [digits]) => (numberOf(untyped(digits)) > 0 ? [value] : NONE);
  if (name === 'sum') return summands;
  return () => NONE;
}

/** The result has the type of the number that it is. */
function chosenOperand(name: string): Operands {
  return (value, [given]) => {
    const [left, right] = [numberOf(untyped(value)), numberOf(untyped(given))];
    const isGiven = name === 'at_least' ? right > left : right < left;
    return isGiven ? [given] : [value];
  };
}

function summands(value: unknown, [given]: unknown[], checkTime: () => void): unknown[] {
  if (!Array.isArray(value)) return NONE;
  if (given === undefined) return flattened(value);
  const path = textOf(untyped(given));
  return flattened(value).map((item) => {
    checkTime();
    return valueAt(item, path);
  });
}

function isDecimalValue(value: unknown): boolean {
  if (typeof value === 'string') return isDecimalText(value);
  return value instanceof Decimal || isFraction(value);
}

/** Named arguments are passed as `[name, value]`; only the parsed arguments distinguish these from lists. */
function sortArguments(parsed: unknown[], given: unknown[]): Pick<FilterCall, 'args' | 'named'> {
  const args: unknown[] = [];
  const named = new Map<string, unknown>();
  given.forEach((value, index) => {
    if (Array.isArray(parsed[index]) && Array.isArray(value)) named.set(String(value[0]), untyped(value[1]));
    else args.push(isNull(value) ? null : untyped(value));
  });
  return { args, named };
}

/** True for `nil`, which liquidjs passes as an object. */
function isNull(value: unknown): boolean {
  return value instanceof Drop && toValue(value) === null;
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new TemplateError(fault);
}

function refuseLongText(value: unknown): void {
  if (typeof value === 'string' && value.length > MAX_OUTPUT_CHARACTERS) {
    throw new TemplateError(`a text of ${value.length} characters is too long`);
  }
}

/** Charges lists by length, because filters mostly create new ones; objects are mostly parts of the event. */
function unitsOf(result: unknown): number {
  if (typeof result === 'string') return Math.ceil(result.length / CHARACTERS_OF_UNIT);
  return Array.isArray(result) ? result.length + 1 : 1;
}
