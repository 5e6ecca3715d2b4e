import type { FormulaToken } from './lexer.js';
import type { BinaryOperator } from './syntax-tree.js';

interface BinaryBinding {
  operator: BinaryOperator;
  strength: number;
}

/** The pipe binds least: `a - 1 |> f(%)` pipes the difference. */
export const PIPE_STRENGTH = 1;
/** `NOT a = b` negates the comparison; `!a = b` compares the negation. */
export const NOT_STRENGTH = 3;
export const SIGN_STRENGTH = 8;

const MARKS: ReadonlyMap<string, BinaryBinding> = new Map(
  [
    bindings(2, { '||': 'or' }),
    bindings(3, { '&&': 'and' }),
    bindings(4, { '=': '=', '==': '=', '<>': '<>', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' }),
    bindings(5, { '&': '&' }),
    bindings(6, { '+': '+', '-': '-' }),
    bindings(7, { '*': '*', '/': '/', '%': '%' }),
  ].flat(),
);
const WORDS: ReadonlyMap<string, BinaryBinding> = new Map([
  ...bindings(2, { OR: 'or' }),
  ...bindings(3, { AND: 'and' }),
]);

function bindings(strength: number, operators: Record<string, BinaryOperator>): [string, BinaryBinding][] {
  return Object.entries(operators).map(([mark, operator]) => [mark, { operator, strength }]);
}

/** Returns the operator of a token where one is expected: there `%` is the remainder, not the placeholder. */
export function binaryOperatorOf({ kind, text }: FormulaToken): BinaryBinding | undefined {
  if (kind === 'mark') return MARKS.get(text);
  return kind === 'name' ? WORDS.get(text.toUpperCase()) : undefined;
}
