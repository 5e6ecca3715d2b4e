import type { JsonValue } from '../../../platform/json.js';
import { TemplateError, type TemplateProblem } from '../../../platform/text/template-error.js';
import { evaluateFormula, isTruthy, parseFormula } from '../../../language/face.js';
import { TimeLimit, withinTime } from '../../../platform/runtime/time-limit.js';

/** Returns true if the formula is true. @throws TemplateError if it cannot be evaluated. */
export type FormulaJudge = (formula: string) => boolean;

/** The part of the formula language that closure conditions need (spec §7.6 and §8.3). */
export interface ClosureFormulas {
  /** Returns the first problem in the formula's text; undefined if it can be evaluated. */
  check(formula: string): TemplateProblem | undefined;
  /** Returns a function that evaluates one formula after the other. All share one time limit in ms, which starts now. */
  judge(variables: Record<string, JsonValue>, limitMs?: number): FormulaJudge;
}

/** Limit for all conditions of a case together: they block the event loop while the case is locked. */
const MAX_CLOSURE_MS = 150;

/** Closure conditions use the language of formula stories; a leading `=` is allowed. */
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
    judge(variables, limitMs = MAX_CLOSURE_MS) {
      const time = startTime(limitMs);
      return (formula) => {
        const leftMs = time.leftMs();
        if (leftMs > 0) {
          return isTruthy(withinTime(leftMs, () => evaluateFormula(formula, variables, leftMs)));
        }
        throw new TemplateError(`evaluating the conditions takes longer than ${limitMs} ms`);
      };
    },
  };
}

function startTimeLimit(ms: number): Pick<TimeLimit, 'leftMs'> {
  return new TimeLimit(ms);
}
