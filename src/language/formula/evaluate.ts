import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { Evaluator, holds } from './evaluator.js';
import { FormulaBudget } from './formula-budget.js';
import { FormulaFault, toFormulaError } from './formula-fault.js';
import { MAX_FORMULA_MS, MAX_TEXT_CHARACTERS } from './formula-limits.js';
import { jsonResult } from './formula-result.js';
import { variablesWorld } from './formula-world.js';
import { parseExpression } from './parser.js';
import type { Expression } from './syntax-tree.js';

/**
 * The syntax tree of a formula that stands alone; a leading `=` is fine (spec §7.6).
 * @throws TemplateError whose `problem` has line and column.
 */
export function parseFormula(text: string): Expression {
  try {
    if (text.length > MAX_TEXT_CHARACTERS) {
      throw new FormulaFault(`The formula is longer than ${MAX_TEXT_CHARACTERS} characters`, 0);
    }
    const start = /^\s*=?/.exec(text)?.[0].length ?? 0;
    return parseExpression(text.slice(start), start);
  } catch (error) {
    throw toFormulaError(error, text);
  }
}

/**
 * What a formula gives with these names, in `timeMs` at most; names that are not there are null.
 * @throws TemplateError whose `problem` has line and column: it does not parse, fails, or goes over a limit.
 */
export function evaluateFormula(
  text: string,
  variables: Readonly<Record<string, JsonValue>>,
  timeMs = MAX_FORMULA_MS,
): JsonValue {
  const expression = parseFormula(text);
  try {
    return jsonResult(
      new Evaluator(variablesWorld(variables), new FormulaBudget(timeMs)).evaluate(expression),
    );
  } catch (error) {
    throw toFormulaError(error, text);
  }
}

/** Whether a rule counts a value as true: neither FALSE nor NULL nor empty text, list or object (spec §8.3). */
export function isTruthy(value: JsonValue): boolean {
  if (!holds(value) || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}
