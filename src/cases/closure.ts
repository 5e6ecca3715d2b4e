import { type Problem, Unprocessable } from '../platform/errors.js';
import type { JsonObject } from '../platform/json.js';
import type { Usable } from '../platform/validation/partial-input.js';
import { TemplateError } from '../language/template-error.js';
import type { ClosureCondition } from './case.js';
import { presentCase } from './case-presenter.js';
import { type CaseScene, viewCase } from './case-scene.js';
import { updateCase } from './case-store.js';
import type { ClosureFormulas, FormulaJudge } from './closure-formulas.js';

export interface ClosureDeps {
  formulas: ClosureFormulas;
  /** Base URL for the addresses in the case that formulas see. */
  baseUrl: string;
}

/** Returns a problem for every formula that does not parse, with line and column. */
export function formulaProblems(
  conditions: Usable<ClosureCondition[]>,
  formulas: ClosureFormulas,
): Problem[] {
  return conditions.flatMap((condition, index) => {
    const problem = condition?.formula === undefined ? undefined : formulas.check(condition.formula);
    if (problem === undefined) return [];
    const message = `The formula is wrong at line ${problem.line}, column ${problem.column}: ${problem.message}`;
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
  const judge = formulas.judge({ team_case: presented, case: presented });
  return conditions.flatMap(({ name, formula }, index) => {
    const reason = reasonAgainst(formula, judge);
    if (reason === undefined) return [];
    return [{ message: `The condition "${name}" ${reason}`, details: `closure_conditions[${index}]` }];
  });
}

/** Returns why this formula does not allow closing the case; undefined if it does. */
function reasonAgainst(formula: string, judge: FormulaJudge): string | undefined {
  try {
    return judge(formula) ? undefined : 'is not met';
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `could not be evaluated: ${error.message}`;
  }
}
