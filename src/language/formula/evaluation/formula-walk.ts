import type { Expression, FormulaText, TextPart } from '../parsing/syntax-tree.js';

/** Names bound around an expression: they do not refer to the event. */
export interface Bound {
  has(name: string): boolean;
}

const NOTHING: Bound = { has: () => false };

/** Adds the names of a loop or lambda to the outer ones, without copying those: there may be thousands. */
function boundIn(outer: Bound, names: readonly string[]): Bound {
  const own = new Set(names);
  return { has: (name) => own.has(name) || outer.has(name) };
}

/** Yields every part of a parsed text with the names bound around it; in no particular order. */
export function* walkFormula(text: FormulaText): Generator<{ part: Expression | TextPart; bound: Bound }> {
  const pending: { part: Expression | TextPart; bound: Bound }[] = [];
  const push = (bound: Bound, parts: readonly (Expression | TextPart)[]) => {
    for (const part of parts) pending.push({ part, bound });
  };
  push(NOTHING, text.kind === 'formula' ? [text.expression] : text.parts);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, bound } = next;
    yield next;
    if (part.kind === 'for') {
      push(bound, [part.collection]);
      push(boundIn(bound, [part.variable, 'FORLOOP']), part.parts);
    } else if (part.kind === 'lambda') push(boundIn(bound, part.parameters), [part.body]);
    else push(bound, partsOf(part));
  }
}

/** Returns the direct children, which have the same bound names. */
function partsOf(part: Expression | TextPart): (Expression | TextPart)[] {
  switch (part.kind) {
    case 'pill':
      return [part.expression];
    case 'if':
      return part.branches.flatMap(({ condition, parts }) =>
        condition === undefined ? parts : [condition, ...parts],
      );
    case 'named':
      return part.team === undefined ? [part.key] : [part.team, part.key];
    case 'list':
      return part.items;
    case 'object':
      return part.entries.flatMap(({ key, value }) => [key, value]);
    case 'call':
      return part.args;
    case 'unary':
      return [part.operand];
    case 'binary':
    case 'pipe':
      return [part.left, part.right];
    case 'member':
      return [part.left, part.key];
    default:
      return [];
  }
}
