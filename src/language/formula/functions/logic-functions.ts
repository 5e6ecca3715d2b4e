import { isNothing, textOf } from '../../values/values.js';
import { holds } from '../evaluation/evaluator.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import type { FunctionTable } from './formula-function.js';
import { FormulaFault } from '../formula-fault.js';
import { isEqual } from '../evaluation/formula-operators.js';

/** Choices and tests. A value that is not needed is not evaluated. */
export const logicFunctions: FunctionTable = {
  IF: {
    takes: 'condition, then, else?',
    otherNames: { value_if_false: 2 },
    gives: 'the second value if the condition is neither FALSE nor NULL, otherwise the third or NULL',
    example: ['IF(2 > 1, "more", "less")', 'more'],
    runLazily: ([condition, then, otherwise]) => (holds(condition?.()) ? then?.() : otherwise?.()),
  },
  IFS: {
    takes: 'condition, value, more…',
    gives: 'the value after the first true condition; NULL if none is true',
    example: ['IFS(1 > 2, "a", 2 > 1, "b")', 'b'],
    runLazily(values) {
      for (let index = 0; index + 1 < values.length; index += 2) {
        if (holds(values[index]?.())) return values[index + 1]?.();
      }
      return null;
    },
  },
  SWITCH: {
    takes: 'value, case, result, more…',
    gives: 'the result after the case equal to the value; a last single value is the default',
    example: ['SWITCH("b", "a", 1, "b", 2, 3)', 2],
    runLazily(values, { step }) {
      const [value, ...cases] = values;
      const sought = value?.();
      for (let index = 0; index + 1 < cases.length; index += 2) {
        if (isEqual(sought, cases[index]?.(), step)) return cases[index + 1]?.();
      }
      return cases.length % 2 === 1 ? cases.at(-1)?.() : null;
    },
  },
  AND: {
    takes: 'value, more…',
    gives: 'TRUE if all values are neither FALSE nor NULL',
    example: ['AND(TRUE, 1 = 1)', true],
    runLazily: (values) => values.every((value) => holds(value())),
  },
  OR: {
    takes: 'value, more…',
    gives: 'TRUE if any value is neither FALSE nor NULL',
    example: ['OR(FALSE, 1 = 1)', true],
    runLazily: (values) => values.some((value) => holds(value())),
  },
  XOR: {
    takes: 'value, more…',
    gives: 'TRUE if an odd number of values is true',
    example: ['XOR(TRUE, FALSE)', true],
    run: (values) => values.filter(holds).length % 2 === 1,
  },
  NOT: {
    takes: 'value',
    gives: 'TRUE for FALSE and NULL, FALSE for all other values',
    example: ['NOT(1 = 2)', true],
    run: ([value]) => !holds(value),
  },
  DEFAULT: {
    takes: 'value, other, more…',
    gives: 'the first value that is neither FALSE nor NULL nor empty, otherwise the last',
    example: ['DEFAULT(missing.value, "none")', 'none'],
    runLazily(values) {
      let result: unknown = null;
      for (const value of values) {
        result = value();
        if (result !== false && !isEmpty(result)) return result;
      }
      return result;
    },
  },
  COALESCE: {
    takes: 'value, more…',
    gives: 'the first value that is not NULL',
    example: ['COALESCE(missing, FALSE, 1)', false],
    runLazily(values) {
      for (const value of values) {
        const result = value();
        if (!isNothing(result)) return result;
      }
      return null;
    },
  },
  TRY: {
    takes: 'value, other?',
    gives: 'the value; the other one, or NULL, if it cannot be evaluated (limits are not caught)',
    example: ['TRY(JSON_PARSE("{oops"), "not JSON")', 'not JSON'],
    runLazily([value, other], { step, checkTime }) {
      try {
        return value?.();
      } catch (error) {
        if (!(error instanceof FormulaFault)) throw error;
        // Throws again if the formula's steps or time are used up.
        step();
        checkTime();
        return other?.();
      }
    },
  },
  IS_EMPTY: {
    takes: 'value',
    gives: 'TRUE for NULL and the empty text, list and object',
    example: ['IS_EMPTY([])', true],
    run: ([value]) => isEmpty(value),
  },
  IS_BLANK: {
    takes: 'value',
    gives: 'TRUE for empty values, FALSE, and text of white space only',
    example: ['IS_BLANK("  ")', true],
    run: ([value]) => isBlank(value),
  },
  IS_PRESENT: {
    takes: 'value',
    gives: 'the opposite of IS_BLANK',
    example: ['IS_PRESENT([1])', true],
    run: ([value]) => !isBlank(value),
  },
  IS_NULL: {
    takes: 'value',
    gives: 'TRUE for NULL only',
    example: ['IS_NULL(missing.path)', true],
    run: ([value]) => isNothing(value),
  },
  ERROR: {
    takes: 'message',
    gives: 'no value: rendering fails with this message',
    example: ['TRY(ERROR("no such user"), "caught")', 'caught'],
    run([message]) {
      throw new TemplateError(textOf(message).slice(0, 1_000));
    },
  },
};

function isBlank(value: unknown): boolean {
  return value === false || isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** Returns true for NULL and the empty text, list and object. */
function isEmpty(value: unknown): boolean {
  if (isNothing(value) || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
