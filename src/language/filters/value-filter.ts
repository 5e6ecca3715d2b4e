import { TemplateError } from '../../platform/text/template-error.js';
import { textOf } from '../values/values.js';

/** Arguments of a filter besides its value. */
export interface FilterCall {
  /** Positional arguments: `date: "%s", "UTC"`. */
  args: unknown[];
  /** `default: 0, allow_false: true` */
  named: ReadonlyMap<string, unknown>;
  /** For arithmetic: the value or an argument is written with a decimal point, or computed from such a number. */
  isDecimal: boolean;
  /** Throws when the render's time is used up; for filters with long loops. */
  checkTime: () => void;
  /** Counts memory that the value's size does not show, in list elements; throws when it is used up. */
  charge: (elements: number) => void;
  /**
   * Returns a function for the value of a Liquid expression in which `name` is an element. Absent in formulas, which
   * have LAMBDA.
   */
  evaluator?: (name: string, expression: string) => (element: unknown) => unknown;
}

/**
 * A filter: pure, synchronous, reads own properties only. Its value is always within the limits.
 * @throws TemplateError for a value that it does not support.
 */
export type ValueFilter = (value: unknown, call: FilterCall) => unknown;

/** Filters by name. */
export type FilterTable = Record<string, ValueFilter>;

/** Returns a function for the value of the expression in the arguments: `where_exp: "item", "item.n > 1"`. */
export function expressionOf({
  args: [name, expression],
  evaluator,
}: FilterCall): (element: unknown) => unknown {
  if (evaluator === undefined) throw new TemplateError('expressions only exist in Liquid');
  return evaluator(textOf(name), textOf(expression));
}
