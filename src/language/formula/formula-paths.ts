import { isNumeric } from '../../platform/json/exact-number.js';
import type { TemplatePath } from '../template.js';
import { positionsIn } from '../values/position.js';
import { walkFormula } from './evaluation/formula-walk.js';
import type { Expression, FormulaText } from './parsing/syntax-tree.js';

/** Returns the paths that a parsed text with formulas names, in order; `source` is the text itself. */
export function formulaPaths(source: string, text: FormulaText): TemplatePath[] {
  const found: { steps: TemplatePath['steps']; at: number; isGuarded: boolean }[] = [];
  const inLonger = new Set<Expression>();
  for (const { part, bound, isGuarded } of walkFormula(text)) {
    if ((part.kind !== 'member' && part.kind !== 'reference') || inLonger.has(part)) continue;
    const keys: Expression[] = [];
    let first: Expression = part;
    while (first.kind === 'member') {
      keys.push(first.key);
      first = first.left;
      inLonger.add(first);
    }
    if (first.kind !== 'reference' || bound.has(first.name)) continue;
    found.push({ steps: [first.name, ...knownSteps(keys.toReversed())], at: first.at, isGuarded });
  }
  const positionOf = positionsIn(source);
  return found
    .toSorted((one, other) => one.at - other.at)
    .map(({ steps, at, isGuarded }) => ({ steps, ...positionOf(at), isGuarded }));
}

/** Returns the keys up to the first that is computed. */
function knownSteps(keys: Expression[]): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const key of keys) {
    const value = key.kind === 'literal' ? key.value : undefined;
    if (typeof value === 'string') steps.push(value);
    else if (isNumeric(value)) steps.push(Math.trunc(Number(value)));
    else break;
  }
  return steps;
}
