import { type Argument, placedArguments } from '../evaluation/call-arguments.js';
import { findFunction, similarFunction } from '../functions/all-functions.js';
import { FormulaFault } from '../formula-fault.js';
import { MAX_NESTING } from '../formula-limits.js';
import { type FormulaToken, tokenise } from './lexer.js';
import type { BinaryOperator, CallNode, Expression, LambdaLiteral, ObjectLiteral } from './syntax-tree.js';
import { TokenReader } from './token-reader.js';
import { numericFromText } from '../../values/values.js';

/** The pipe binds least: `a - 1 |> f(%)` pipes the difference. */
const PIPE_STRENGTH = 1;
/** `NOT a = b` negates the comparison; `!a = b` compares the negation. */
const NOT_STRENGTH = 3;
const SIGN_STRENGTH = 8;

const MARK_OPERATORS: ReadonlyMap<string, BinaryBinding> = new Map(
  [
    bindings(2, { '||': 'or' }),
    bindings(3, { '&&': 'and' }),
    bindings(4, { '=': '=', '==': '=', '<>': '<>', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' }),
    bindings(5, { '&': '&' }),
    bindings(6, { '+': '+', '-': '-' }),
    bindings(7, { '*': '*', '/': '/', '%': '%' }),
  ].flat(),
);

const WORD_OPERATORS: ReadonlyMap<string, BinaryBinding> = new Map([
  ...bindings(2, { OR: 'or' }),
  ...bindings(3, { AND: 'and' }),
]);

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
]);
const ARITHMETIC = new Set<BinaryOperator>(['+', '-', '*', '/', '%']);
const NAMED_ROOTS = new Set(['RESOURCE', 'CREDENTIAL', 'STORY']);

/**
 * Parses one expression; also checks function names and the number of their arguments.
 * @param start offset of `source` in the text that contains it, for positions in messages.
 * @throws FormulaFault
 */
export function parseExpression(source: string, start = 0): Expression {
  const reader = new TokenReader(tokenise(source, start));
  const expression = new Parser(reader).expression(0);
  if (reader.next.kind !== 'end') throw unexpected(reader);
  return expression;
}

function unexpected({ next }: TokenReader, wanted = 'an operator'): FormulaFault {
  const found = next.kind === 'end' ? 'the formula ends' : `"${next.text.slice(0, 100)}" stands here`;
  return new FormulaFault(`${found} where ${wanted} is expected`, next.at);
}

/** Operator precedence parser: each method consumes its tokens and leaves the reader after them. */
class Parser {
  readonly #reader: TokenReader;
  #nesting = 0;
  /** True if the value on the left of the current pipe is decimal. */
  #isPipedDecimal = false;

  constructor(reader: TokenReader) {
    this.#reader = reader;
  }

  /** Parses an operand and all following operators that bind more strongly than `strength`. */
  expression(strength: number): Expression {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new FormulaFault(`The formula is nested deeper than ${MAX_NESTING}`, this.#reader.next.at);
    }
    let left = this.#postfix(this.#operand());
    for (;;) {
      const extended = this.#extended(left, strength);
      if (extended === undefined) break;
      left = extended;
    }
    this.#nesting -= 1;
    return left;
  }

  #extended(left: Expression, strength: number): Expression | undefined {
    const { at, text } = this.#reader.next;
    if (this.#reader.next.kind === 'mark' && text === '|>') {
      if (strength >= PIPE_STRENGTH) return undefined;
      this.#reader.take();
      const right = this.#piped(left);
      return { kind: 'pipe', left, right, at, ...decimalOf(right) };
    }
    const found = binaryOperatorOf(this.#reader.next);
    if (found === undefined || found.strength <= strength) return undefined;
    this.#reader.take();
    const { operator } = found;
    const right = this.expression(found.strength);
    const decimal = ARITHMETIC.has(operator) ? decimalOf(left, right) : {};
    return { kind: 'binary', operator, left, right, at, ...decimal };
  }

  /** Parses the right side of a pipe whose left side is `left`. */
  #piped(left: Expression): Expression {
    const outer = this.#isPipedDecimal;
    this.#isPipedDecimal = left.isDecimal === true;
    const right = this.expression(PIPE_STRENGTH);
    this.#isPipedDecimal = outer;
    return right;
  }

  #operand(): Expression {
    const token = this.#reader.take();
    const { at } = token;
    if (token.kind === 'number') return numberLiteral(token.text, at);
    if (token.kind === 'string') return { kind: 'literal', value: token.text, at };
    if (token.kind === 'name') return this.#word(token.text, at);
    if (token.kind === 'mark') {
      if (token.text === '(') return this.#parenthesised();
      if (token.text === '[') return { kind: 'list', items: this.#items(']'), at };
      if (token.text === '{') return this.#object(at);
      if (token.text === '%') return { kind: 'placeholder', at, isDecimal: this.#isPipedDecimal };
      if (token.text === '-') return this.#negative(at);
      if (token.text === '+') return this.expression(SIGN_STRENGTH);
      if (token.text === '!')
        return { kind: 'unary', operator: 'not', operand: this.expression(SIGN_STRENGTH), at };
      // In a pill, old references have a leading dot.
      if (token.text === '.' && this.#reader.next.kind === 'name') return this.#operand();
    }
    this.#reader.back();
    throw unexpected(this.#reader, 'a value');
  }

  #negative(at: number): Expression {
    const operand = this.expression(SIGN_STRENGTH);
    return { kind: 'unary', operator: 'minus', operand, at, ...decimalOf(operand) };
  }

  #parenthesised(): Expression {
    const inner = this.expression(0);
    this.#expect(')');
    return inner;
  }

  #word(name: string, at: number): Expression {
    const upper = name.toUpperCase();
    const isCall = this.#reader.isMark('(');
    if (upper === 'NOT' && !isCall) {
      return { kind: 'unary', operator: 'not', operand: this.expression(NOT_STRENGTH), at };
    }
    if (isCall) {
      this.#reader.take();
      return upper === 'LAMBDA' ? this.#lambda(at) : this.#call(name, at);
    }
    const constant = CONSTANTS.get(upper);
    return constant === undefined
      ? { kind: 'reference', name, at }
      : { kind: 'literal', value: constant, at };
  }

  #call(name: string, at: number): CallNode {
    const found = findFunction(name);
    if (found === undefined) {
      const similar = similarFunction(name);
      const hint = similar === undefined ? '' : `; did you mean ${similar}?`;
      throw new FormulaFault(`Unknown function ${name.slice(0, 100)}${hint}`, at);
    }
    const args = placedArguments(found, this.#arguments(), at);
    const decimal = found.isArithmetic === true ? decimalOf(...args) : {};
    return { kind: 'call', function: found, args, at, ...decimal };
  }

  #lambda(at: number): LambdaLiteral {
    const parts = this.#items(')');
    const body = parts.pop();
    if (body === undefined) throw new FormulaFault('LAMBDA requires an expression: LAMBDA(x, x + 1)', at);
    const parameters = parts.map((part) => {
      if (part.kind === 'reference') return part.name;
      throw new FormulaFault('Only names can precede the expression of a LAMBDA: LAMBDA(x, x + 1)', part.at);
    });
    return { kind: 'lambda', parameters, body, at };
  }

  /** Parses comma-separated expressions up to `closing`; a trailing comma is allowed. */
  #items(closing: ')' | ']'): Expression[] {
    const items: Expression[] = [];
    while (!this.#reader.isMark(closing)) {
      items.push(this.expression(0));
      if (!this.#reader.isMark(closing)) this.#expect(',', ` or ${closing}`);
    }
    this.#reader.take();
    return items;
  }

  /** Like `#items`; each expression may have a name: `length: 5`. */
  #arguments(): Argument[] {
    const found: Argument[] = [];
    while (!this.#reader.isMark(')')) {
      const { kind, text, at } = this.#reader.next;
      const isNamed = kind === 'name' && this.#reader.isMark(':', 1);
      if (isNamed) {
        this.#reader.take();
        this.#reader.take();
      }
      found.push({ ...(isNamed && { name: text }), value: this.expression(0), at });
      if (!this.#reader.isMark(')')) this.#expect(',', ' or )');
    }
    this.#reader.take();
    return found;
  }

  #object(at: number): ObjectLiteral {
    const entries: ObjectLiteral['entries'] = [];
    while (!this.#reader.isMark('}')) {
      const key = this.#objectKey();
      this.#expect(':');
      entries.push({ key, value: this.expression(0) });
      if (!this.#reader.isMark('}')) this.#expect(',', ' or }');
    }
    this.#reader.take();
    return { kind: 'object', entries, at };
  }

  #objectKey(): Expression {
    const { kind, text, at } = this.#reader.next;
    if (kind !== 'name' || !this.#reader.isMark(':', 1)) return this.expression(0);
    this.#reader.take();
    return { kind: 'literal', value: text, at };
  }

  /** Parses any number of `.key` and `[…]` after a value. */
  #postfix(operand: Expression): Expression {
    let left = operand;
    for (;;) {
      const { at } = this.#reader.next;
      if (this.#reader.isMark('[')) {
        this.#reader.take();
        const key = this.expression(0);
        this.#expect(']');
        left = memberOf(left, key, at);
      } else if (this.#reader.isMark('.')) {
        this.#reader.take();
        // Real stories contain a dot without a key by mistake: `RESOURCE.url.`
        for (const name of this.#reader.takeKeys()) {
          left = memberOf(left, { kind: 'literal', value: name, at }, at);
        }
      } else return left;
    }
  }

  #expect(mark: string, orElse = ''): void {
    if (!this.#reader.isMark(mark)) throw unexpected(this.#reader, mark + orElse);
    this.#reader.take();
  }
}

function numberLiteral(text: string, at: number): Expression {
  const value = numericFromText(text);
  return { kind: 'literal', value, at, ...(text.includes('.') ? { isDecimal: true } : {}) };
}

function decimalOf(...operands: Expression[]): { isDecimal?: boolean } {
  return operands.some(({ isDecimal }) => isDecimal === true) ? { isDecimal: true } : {};
}

function memberOf(left: Expression, key: Expression, at: number): Expression {
  if (left.kind === 'reference' && NAMED_ROOTS.has(left.name)) {
    return { kind: 'named', root: left.name as 'RESOURCE' | 'CREDENTIAL' | 'STORY', key, at: left.at };
  }
  if (left.kind === 'named' && left.root === 'STORY' && left.team === undefined) {
    return { ...left, team: left.key, key };
  }
  return { kind: 'member', left, key, at };
}

interface BinaryBinding {
  operator: BinaryOperator;
  strength: number;
}

function bindings(strength: number, operators: Record<string, BinaryOperator>): [string, BinaryBinding][] {
  return Object.entries(operators).map(([mark, operator]) => [mark, { operator, strength }]);
}

/** Returns the operator of a token where one is expected: there `%` is the remainder, not the placeholder. */
function binaryOperatorOf({ kind, text }: FormulaToken): BinaryBinding | undefined {
  if (kind === 'mark') return MARK_OPERATORS.get(text);
  return kind === 'name' ? WORD_OPERATORS.get(text.toUpperCase()) : undefined;
}
