import { FormulaFault } from '../formula-fault.js';
import type { FormulaFunction } from '../functions/formula-function.js';
import type { Expression } from '../parsing/syntax-tree.js';

/** An argument of a function as written. */
export interface Argument {
  name?: string;
  value: Expression;
  at: number;
}

/**
 * Returns the arguments in the function's order: named ones at the positions of their names.
 * @param at offset of the function in the text.
 * @throws FormulaFault for a wrong number of arguments, and for a name that is unknown or repeated.
 */
export function placedArguments(
  called: FormulaFunction,
  given: readonly Argument[],
  at: number,
): Expression[] {
  const placed: (Expression | undefined)[] = [];
  let unnamed = 0;
  for (const { name, value, at: place } of given) {
    if (name === undefined) {
      if (unnamed < placed.length)
        throw new FormulaFault('Unnamed arguments must precede named arguments', place);
      unnamed += 1;
      placed.push(value);
      continue;
    }
    const index = placeOf(called, name, place);
    if (placed[index] !== undefined) throw new FormulaFault(`${called.name} got ${name} twice`, place);
    placed[index] = value;
  }
  if (unnamed < called.fewest || unnamed > called.most) {
    const count = given.length === 1 ? '1 value' : `${given.length} values`;
    throw new FormulaFault(`${called.name}(${called.takes}) got ${count}`, at);
  }
  return Array.from(placed, (value) => value ?? { kind: 'absent', at });
}

function placeOf({ name: called, named }: FormulaFunction, name: string, at: number): number {
  const index = named.get(name);
  if (index !== undefined) return index;
  const known = named.size === 0 ? 'it has no named arguments' : `only ${[...named.keys()].join(', ')}`;
  throw new FormulaFault(`${called} has no argument named ${name.slice(0, 100)}: ${known}`, at);
}
