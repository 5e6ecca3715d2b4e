import type { Expression, FormulaText, TextPart } from '../parsing/syntax-tree.js';
import { LOGIC_FAMILY } from '../functions/formula-function.js';

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

/** A part of a parsed text, and where it stands. */
export interface WalkedPart {
  part: Expression | TextPart;
  /** The names bound around it. */
  bound: Bound;
  /** Whether a condition, a test or a default is around it: an absent value is provided for. */
  isGuarded: boolean;
}

/** Yields every part of a parsed text, each before the parts in it. */
export function* walkFormula(text: FormulaText): Generator<WalkedPart> {
  const pending: WalkedPart[] = [];
  const push = (where: Omit<WalkedPart, 'part'>, parts: readonly (Expression | TextPart)[]) => {
    for (const part of parts) pending.push({ part, ...where });
  };
  push({ bound: NOTHING, isGuarded: false }, text.kind === 'formula' ? [text.expression] : text.parts);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, bound } = next;
    yield next;
    const isGuarded = next.isGuarded || guards(part);
    if (part.kind === 'for') {
      push({ bound, isGuarded }, [part.collection]);
      push({ bound: boundIn(bound, [part.variable, 'FORLOOP']), isGuarded }, part.parts);
    } else if (part.kind === 'lambda') {
      push({ bound: boundIn(bound, part.parameters), isGuarded }, [part.body]);
    } else push({ bound, isGuarded }, partsOf(part));
  }
}

/** Returns true for a part that decides by whether a value is there: blocks, choices and tests. */
function guards(part: Expression | TextPart): boolean {
  switch (part.kind) {
    case 'if':
      return true;
    case 'call':
      return part.function.family === LOGIC_FAMILY;
    case 'unary':
      return part.operator === 'not';
    case 'binary':
      return part.operator === 'or' || part.operator === 'and';
    case 'pipe':
      return guards(part.right);
    default:
      return false;
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
