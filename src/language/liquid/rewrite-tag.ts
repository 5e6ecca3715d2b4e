import { type MarkupToken, tokeniseMarkup, writeMarkup } from './markup.js';

/** Rewritten text of a tag, and the filters it uses, for the check. */
export interface Rewritten {
  text: string;
  filters: string[];
}

/** Replaces `as_object` if it is the last filter of an output: see output.ts. */
export const TYPED_OUTPUT = '__typed_output';
const AS_OBJECT = new Set(['as_object', 's_object']);

const CONDITION_TAGS = new Set(['if', 'elsif', 'unless', 'case', 'when']);
const EXPRESSION_TAGS = new Set(['cycle', 'regex_replace', 'regex_replace_first']);
const CONNECTIVES = new Set(['and', 'or', 'contains']);
const LOOP_WORDS = new Set(['limit', 'offset', 'reversed', 'cols']);
const LOOP_TAGS = new Set(['for', 'tablerow']);
/** Tokens after which a value is expected. */
const VALUE_EXPECTED = new Set(['', '|', ':', ',', 'not']);
const RESERVED = new Set([...CONNECTIVES, ...LOOP_WORDS]);

/** Rewrites the inside of `{{ … }}` (and of `echo`) for liquidjs. */
export function rewriteOutput(markup: string): Rewritten {
  // A lone exclamation mark means nothing in Ruby's Liquid.
  const meant = tokeniseMarkup(markup).filter(({ kind, text }) => kind !== 'mark' || text !== '!');
  const tokens = withColons(meant);
  if (tokens.every((token) => token.kind === 'space')) return { text: '""', filters: [] };
  const filters = filterNames(tokens);
  const last = filters.at(-1);
  if (last !== undefined && AS_OBJECT.has(last.text)) last.text = TYPED_OUTPUT;
  return { text: writeMarkup(tokens), filters: filters.map((token) => token.text) };
}

/** Rewrites the arguments of a tag for liquidjs; those of tags with a free name stay unchanged. */
export function rewriteTag(name: string, markup: string): Rewritten {
  if (name === 'echo') return rewriteOutput(markup);
  const rewrite = argumentRewriter(name);
  if (rewrite === undefined) return { text: markup, filters: [] };
  const tokens = withColons(tokeniseMarkup(markup));
  const filters = filterNames(tokens).map((token) => token.text);
  return { text: writeMarkup(rewrite(tokens)), filters };
}

function argumentRewriter(name: string): ((tokens: MarkupToken[]) => MarkupToken[]) | undefined {
  if (CONDITION_TAGS.has(name)) return groupOperands;
  if (LOOP_TAGS.has(name)) return groupCollection;
  if (name === 'assign') return assignedValue;
  if (EXPRESSION_TAGS.has(name)) return (tokens) => tokens;
  return undefined;
}

/** `| replace "a", "b"` → `| replace: "a", "b"`. */
function withColons(tokens: MarkupToken[]): MarkupToken[] {
  const result: MarkupToken[] = [];
  tokens.forEach((token, index) => {
    result.push(token);
    if (token.kind !== 'name' || !follows(tokens, index, '|')) return;
    const next = tokens[index + 1]?.kind === 'space' ? tokens[index + 2] : tokens[index + 1];
    const isArgument = next?.kind === 'string' || (next?.kind === 'name' && !RESERVED.has(next.text));
    if (isArgument) result.push({ kind: 'mark', text: ':' });
  });
  return result;
}

function filterNames(tokens: MarkupToken[]): MarkupToken[] {
  return tokens.filter((token, index) => token.kind === 'name' && follows(tokens, index, '|'));
}

function follows(tokens: MarkupToken[], index: number, mark: string): boolean {
  let before = index - 1;
  while (tokens[before]?.kind === 'space') before -= 1;
  return tokens[before]?.text === mark;
}

/**
 * Puts each operand of a condition that has filters in parentheses, because Liquid's conditions accept no filters:
 * `.a | where: "n", 1 contains "x"` → `(.a | where: "n", 1) contains "x"`.
 */
function groupOperands(tokens: MarkupToken[]): MarkupToken[] {
  const result: MarkupToken[] = [];
  let operand: MarkupToken[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    const operator = depth === 0 ? operatorOf(token) : undefined;
    if (operator === undefined) {
      operand.push(token);
      continue;
    }
    for (const part of grouped(withoutRest(operand))) result.push(part);
    result.push({ kind: 'operator', text: ` ${operator} ` });
    operand = [];
  }
  for (const part of grouped(withoutRest(operand))) result.push(part);
  return result;
}

/** Returns the operator in liquidjs's spelling, or undefined. */
function operatorOf({ kind, text }: MarkupToken): string | undefined {
  if (kind === 'operator') return text === '<>' ? '!=' : text === '=' ? '==' : text;
  return kind === 'name' && CONNECTIVES.has(text) ? text : undefined;
}

/**
 * Returns the first value of an operand with its filters. A further value without an operator (a forgotten `or`) is
 * ignored, as on the original platform.
 */
function withoutRest(operand: MarkupToken[]): MarkupToken[] {
  let depth = 0;
  let last = '';
  for (const [index, { kind, text }] of operand.entries()) {
    if (kind === 'space') continue;
    const startsValue = kind === 'name' || kind === 'string';
    const afterSpace = operand[index - 1]?.kind === 'space';
    if (startsValue && afterSpace && depth === 0 && !VALUE_EXPECTED.has(last)) return operand.slice(0, index);
    if (text === '(' || text === '[') depth += 1;
    if (text === ')' || text === ']') depth -= 1;
    last = text;
  }
  return operand;
}

function grouped(operand: MarkupToken[]): MarkupToken[] {
  if (!operand.some(({ text, kind }) => kind === 'mark' && text === '|')) return operand;
  return [{ kind: 'mark', text: '(' }, ...operand, { kind: 'mark', text: ')' }];
}

/** `assign x =` assigns nothing, as in Ruby's Liquid. */
function assignedValue(tokens: MarkupToken[]): MarkupToken[] {
  const last = tokens.findLast(({ kind }) => kind !== 'space');
  return last?.text === '=' ? [...tokens, { kind: 'name', text: ' nil' }] : tokens;
}

/** `for x in .a | where: "n", 1 limit: 2` → `for x in (.a | where: "n", 1) limit: 2`. */
function groupCollection(tokens: MarkupToken[]): MarkupToken[] {
  const start = tokens.findIndex(({ kind, text }) => kind === 'name' && text === 'in') + 1;
  if (start === 0) return tokens;
  const length = tokens.slice(start).findIndex(({ kind, text }) => kind === 'name' && LOOP_WORDS.has(text));
  const end = length === -1 ? tokens.length : start + length;
  const collection = grouped(tokens.slice(start, end));
  const space: MarkupToken = { kind: 'space', text: ' ' };
  return [...tokens.slice(0, start), space, ...collection, space, ...tokens.slice(end)];
}
