import type { JsonValue } from '../json.js';
import { evaluateFormula, isTruthy, parseFormula } from '../templates/formula/evaluate.js';
import { TemplateError, type TemplateProblem } from '../templates/template.js';

/** All that closure conditions need of the formula language (decisions §7, §8). */
export interface ClosureFormulas {
  /** What is wrong with the formula's text; undefined when it can be evaluated. */
  check(formula: string): TemplateProblem | undefined;
  /** Whether the formula is true. @throws TemplateError when it cannot be evaluated. */
  holds(formula: string, variables: Record<string, JsonValue>): boolean;
}

/** Closure conditions in the language of formula stories; a leading `=` is fine. */
export function createClosureFormulas(): ClosureFormulas {
  return {
    check(formula) {
      try {
        parseFormula(formula);
        return undefined;
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        return error.problem ?? { message: error.message, line: 1, column: 1 };
      }
    },
    holds: (formula, variables) => isTruthy(evaluateFormula(formula, variables)),
  };
}
