import { Liquid, Token } from 'liquidjs';
import type { FilterCall, FilterTable } from '../filters/value-filter.js';
import { guarded } from './guarded-filter.js';
import { FILTERS } from '../filters/all-filters.js';
import { MAX_LIQUID_MEMORY_UNITS, MAX_TEMPLATE_CHARACTERS } from '../limits.js';
import { keepDecimals } from './ruby/decimal.js';
import { RANGE } from './markup.js';
import { numberOf } from '../values/values.js';
import { operators } from './ruby/operators.js';
import { keepDecimalForm, TypedValue } from './ruby/output.js';
import { TYPED_OUTPUT } from './rewrite-tag.js';
import { registerTags } from './tags/all-tags.js';
import { positionsIn } from '../values/position.js';

/** Positions in the most recent text: all tokens of a template belong to one text. */
let lines: { input: string; positionOf: ReturnType<typeof positionsIn> } = {
  input: '',
  positionOf: positionsIn(''),
};

/** The shared filters, and those that the rewriting of tags inserts: for a last `as_object`, and for ranges. */
const LIQUID_FILTERS: FilterTable = {
  ...FILTERS,
  [TYPED_OUTPUT]: (value) => new TypedValue(value),
  [RANGE]: wholeNumbers,
};

/** Returns the whole numbers of a range such as `(1..n)`; an end that is no number is 0, as in Ruby's Liquid. */
function wholeNumbers(first: unknown, { args: [last], charge }: FilterCall): number[] {
  const start = Math.trunc(numberOf(first));
  const length = Math.max(Math.trunc(numberOf(last)) - start + 1, 0);
  // Charged before it is created; a list within the limit is charged like any other result.
  if (length > MAX_LIQUID_MEMORY_UNITS) charge(length);
  return Array.from({ length }, (_, index) => start + index);
}

/**
 * Creates a locked-down liquidjs: no files (`templates: {}` alone prevents disk access), own properties only, our
 * filters instead of its own, our limits.
 */
export function createEngine(): Liquid {
  const liquid = new Liquid({
    templates: {},
    relativeReference: false,
    dynamicPartials: false,
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    groupedExpressions: true,
    operators,
    // Typed as returning text, but liquidjs passes on whatever it returns.
    outputEscape: keepDecimalForm as (value: unknown) => string,
    parseLimit: MAX_TEMPLATE_CHARACTERS * 2,
    memoryLimit: MAX_LIQUID_MEMORY_UNITS,
  });
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, filter] of Object.entries(LIQUID_FILTERS))
    liquid.registerFilter(name, guarded(name, filter));
  registerTags(liquid);
  speedUpTokenPositions();
  keepDecimals();
  return liquid;
}

/**
 * Makes liquidjs find a token's line and column without reading the template from its start each time: finding
 * the variables of a template of 40,000 characters took seconds.
 */
function speedUpTokenPositions(): void {
  Token.prototype.getPosition = function (this: Token): [number, number] {
    if (lines.input !== this.input) lines = { input: this.input, positionOf: positionsIn(this.input) };
    const { line, column } = lines.positionOf(this.begin);
    return [line, column];
  };
}
