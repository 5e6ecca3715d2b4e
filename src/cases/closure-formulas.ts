import type { JsonValue } from '../platform/json.js';
import { evaluateFormula, isTruthy, parseFormula } from '../language/formula/evaluate.js';
import { TemplateError } from '../language/template-error.js';
import type { TemplateProblem } from '../language/template-error.js';
import { TimeLimit, withinTime } from '../platform/runtime/time-limit.js';

/** Whether the formula is true. @throws TemplateError when it cannot be evaluated. */
export type FormulaJudge = (formula: string) => boolean;

/** All that closure conditions need of the formula language (spec §7.6 and §8.3). */
export interface ClosureFormulas {
  /** What is wrong with the formula's text; undefined when it can be evaluated. */
  check(formula: string): TemplateProblem | undefined;
  /** What tells of one formula after the other whether it is true. All of them share one time, which begins now. */
  judge(variables: Record<string, JsonValue>): FormulaJudge;
}

/** For all conditions of a case together: they hold up the process, and the case is locked. */
const MAX_CLOSURE_MS = 150;

/** Closure conditions in the language of formula stories; a leading `=` is fine. */
export function createClosureFormulas(startTime = startTimeLimit): ClosureFormulas {
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
    judge(variables) {
      const time = startTime(MAX_CLOSURE_MS);
      return (formula) => {
        const leftMs = time.leftMs();
        if (leftMs > 0) {
          return isTruthy(withinTime(leftMs, () => evaluateFormula(formula, variables, leftMs)));
        }
        throw new TemplateError(`all conditions together take longer than ${MAX_CLOSURE_MS} ms`);
      };
    },
  };
}

function startTimeLimit(ms: number): Pick<TimeLimit, 'leftMs'> {
  return new TimeLimit(ms);
}
