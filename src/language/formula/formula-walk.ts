import type { Expression, FormulaText, TextPart } from './syntax-tree.js';

/** Names that are bound where an expression stands: they refer to no event. */
export interface Bound {
  has(name: string): boolean;
}

const NOTHING: Bound = { has: () => false };

/** The names of a loop or lambda on top of those around it, which are not copied: there may be thousands. */
function boundIn(outer: Bound, names: readonly string[]): Bound {
  const own = new Set(names);
  return { has: (name) => own.has(name) || outer.has(name) };
}

/** Every part of a parsed text, with the names that are bound where it stands; in no particular order. */
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

/** What stands directly inside, with the same names bound. */
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
