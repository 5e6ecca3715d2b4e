import type { JsonValue } from '../../../platform/json.js';
import type { NamedKind } from '../../named-values.js';
import type { FormulaFunction } from '../functions/formula-function.js';

/** Fields of every expression. */
interface Placed {
  /** Its start offset in the text, for messages. */
  at: number;
  /** Written with a decimal point (`2.0`), or computed from such a number: the value itself cannot show it. */
  isDecimal?: boolean;
}

export interface Literal extends Placed {
  kind: 'literal';
  value: JsonValue;
}
/** A free name (an upstream action, `LOCAL`, …) or the variable of a lambda or loop. */
export interface ReferenceNode extends Placed {
  kind: 'reference';
  name: string;
}
/** `RESOURCE.x`, `CREDENTIAL["x"]`, `STORY.x`, `STORY.team.x`. */
export interface NamedNode extends Placed {
  kind: 'named';
  root: NamedKind;
  /** The name before the key; only for stories. */
  team?: Expression;
  key: Expression;
}
/** `%`: the value on the left of a pipe. */
export interface Placeholder extends Placed {
  kind: 'placeholder';
}
/** An argument left out before a named one. */
export interface Absent extends Placed {
  kind: 'absent';
}
export interface ListLiteral extends Placed {
  kind: 'list';
  items: Expression[];
}
export interface ObjectLiteral extends Placed {
  kind: 'object';
  entries: { key: Expression; value: Expression }[];
}
export interface LambdaLiteral extends Placed {
  kind: 'lambda';
  parameters: string[];
  body: Expression;
}
export interface CallNode extends Placed {
  kind: 'call';
  function: FormulaFunction;
  args: Expression[];
}
export interface Unary extends Placed {
  kind: 'unary';
  operator: 'not' | 'minus';
  operand: Expression;
}
/** An operation on a value to its left. Chains may be long: they are evaluated without recursion. */
export type Step =
  | (Placed & { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression })
  | (Placed & { kind: 'pipe'; left: Expression; right: Expression })
  | (Placed & { kind: 'member'; left: Expression; key: Expression });

export type BinaryOperator =
  | 'or'
  | 'and'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '&'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export type Expression =
  | Literal
  | ReferenceNode
  | NamedNode
  | Placeholder
  | Absent
  | ListLiteral
  | ObjectLiteral
  | LambdaLiteral
  | CallNode
  | Unary
  | Step;

/** Parts of a text with formulas: plain text, pills, and blocks. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'pill'; expression: Expression; at: number }
  | { kind: 'if'; branches: { condition: Expression | undefined; parts: TextPart[] }[]; at: number }
  | { kind: 'for'; variable: string; collection: Expression; parts: TextPart[]; at: number };

/** A parsed text: a whole formula, whose result keeps its type, or text with parts to render. */
export type FormulaText = { kind: 'formula'; expression: Expression } | { kind: 'text'; parts: TextPart[] };
