import { type Problem, Unprocessable } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import type { CaseView, ClosureCondition } from '../case.js';
import { presentCase } from '../view/case-presenter.js';
import { type CaseScene, viewCase } from '../case-scene.js';
import { updateCase } from '../case-store.js';
import type { ClosureFormulas, FormulaJudge } from './closure-formulas.js';

export interface ClosureDeps {
  formulas: ClosureFormulas;
  /** Base URL for the addresses in the case that formulas see. */
  baseUrl: string;
}

/** Limit for a mere look at all conditions of a case: it may be asked for often (promise 9). */
const MAX_LOOK_MS = 50;

/** Returns a problem for every formula that does not parse, with line and column. */
export function formulaProblems(
  conditions: Usable<ClosureCondition[]>,
  formulas: ClosureFormulas,
): Problem[] {
  return conditions.flatMap((condition, index) => {
    const problem = condition?.formula === undefined ? undefined : formulas.check(condition.formula);
    if (problem === undefined) return [];
    const message = `The formula is invalid at line ${problem.line}, column ${problem.column}: ${problem.message}`;
    return [{ message, details: `closure_conditions[${index}].formula` }];
  });
}

/**
 * Closes an open case (spec §7.6). The conditions see the case with all other changes applied, but still open.
 * @throws Unprocessable that names every unmet condition.
 */
export async function closeCase(
  scene: CaseScene,
  resolvedAt: Date | undefined,
  deps: ClosureDeps,
): Promise<void> {
  const { actor, session, stored } = scene;
  const view = await viewCase(actor, stored.id, session);
  const problems = unmetConditions(view.stored.closureConditions, presentCase(view, deps.baseUrl), deps);
  if (problems.length > 0) throw new Unprocessable(problems);
  const changes = {
    status: 'CLOSED',
    resolvedAt: resolvedAt ?? new Date(),
    resolvedById: actor.userId,
  } as const;
  await updateCase(stored.id, changes, session);
}

function unmetConditions(
  conditions: ClosureCondition[],
  presented: JsonObject,
  { formulas }: ClosureDeps,
): Problem[] {
  return judged(conditions, presented, formulas).flatMap(({ name, reason }, index) => {
    if (reason === null) return [];
    return [{ message: `The condition "${name}" ${reason}`, details: `closure_conditions[${index}]` }];
  });
}

/** A condition, and why it does not allow closing the case; null: it does. */
export interface JudgedCondition extends ClosureCondition {
  reason: string | null;
}

/** Returns the conditions as they hold for a case now. Nothing is changed. */
export function judgeConditions(view: CaseView, { formulas, baseUrl }: ClosureDeps): JudgedCondition[] {
  return judged(view.stored.closureConditions, presentCase(view, baseUrl), formulas, MAX_LOOK_MS);
}

function judged(
  conditions: ClosureCondition[],
  presented: JsonObject,
  formulas: ClosureFormulas,
  limitMs?: number,
): JudgedCondition[] {
  const judge = formulas.judge({ team_case: presented, case: presented }, limitMs);
  return conditions.map(({ name, formula }) => ({ name, formula, reason: reasonAgainst(formula, judge) }));
}

/** Returns why this formula does not allow closing the case; null if it does. */
function reasonAgainst(formula: string, judge: FormulaJudge): string | null {
  try {
    return judge(formula) ? null : 'is not met';
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `could not be evaluated: ${error.message}`;
  }
}
