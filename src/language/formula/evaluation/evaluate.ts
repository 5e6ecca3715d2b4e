import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { Evaluator, holds } from './evaluator.js';
import { FormulaBudget } from './formula-budget.js';
import { FormulaFault, toFormulaError } from '../formula-fault.js';
import { MAX_FORMULA_MS, MAX_TEXT_CHARACTERS } from '../formula-limits.js';
import { jsonResult } from './formula-result.js';
import { variablesWorld } from './formula-world.js';
import { parseExpression } from '../parsing/parser.js';
import type { Expression } from '../parsing/syntax-tree.js';

/**
 * Parses a formula outside of a text; a leading `=` is allowed (spec §7.6).
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
 * Evaluates a formula with these variables, in at most `timeMs`; unknown names are null.
 * @throws TemplateError whose `problem` has line and column, for a syntax error, a failure, or an exceeded limit.
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

/** Returns true if a rule treats the value as true: not FALSE, NULL, or an empty text, list or object (spec §8.3). */
export function isTruthy(value: JsonValue): boolean {
  if (!holds(value) || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}
