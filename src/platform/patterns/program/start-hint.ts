import { type CharSet, setOf, unionOf } from '../characters/char-set.js';
import type { PatternNode } from '../reading/pattern-node.js';
import type { StartHint } from './program.js';

/** Most sets that are united to a hint: each may be asked for each place. */
const MAX_FIRST_SETS = 20;

/** Returns what every match begins with, so that a search can skip other places. */
export function startHintOf(root: PatternNode): StartHint {
  const literal = literalOf(root);
  const first = literal === '' ? firstOf(root) : undefined;
  return {
    literal,
    atTextStart: startsAtText(root),
    required: requiredOf(root),
    ...(first === undefined ? {} : { first: unionOf(first) }),
  };
}

/** Returns the longest text that is in every match; empty if there is none that is easily seen. */
function requiredOf(node: PatternNode): string {
  if (node.type === 'group' || node.type === 'atomic') return requiredOf(node.body);
  if (node.type === 'repeat') return node.min > 0 ? requiredOf(node.body) : '';
  if (node.type === 'char') return literalOf(node);
  if (node.type !== 'sequence') return '';
  const found: string[] = [''];
  for (const [index, item] of node.items.entries()) {
    if (item.type !== 'char') found.push(requiredOf(item));
    else if (!isPlainChar(node.items[index - 1])) {
      found.push(literalOf({ type: 'sequence', items: node.items.slice(index) }));
    }
  }
  return found.reduce((longest, text) => (text.length > longest.length ? text : longest));
}

function literalOf(node: PatternNode): string {
  if (node.type === 'group') return literalOf(node.body);
  const codes: number[] = [];
  for (const item of node.type === 'sequence' ? node.items : [node]) {
    if (item.type !== 'char' || item.variants !== undefined) break;
    codes.push(item.code);
  }
  // A half of a surrogate pair must not be found inside of a pair.
  return codes.some((code) => code >= 0xd800 && code < 0xe000)
    ? ''
    : codes.map((code) => String.fromCodePoint(code)).join('');
}

function isPlainChar(node: PatternNode | undefined): boolean {
  return node?.type === 'char' && node.variants === undefined;
}

function startsAtText(node: PatternNode): boolean {
  if (node.type === 'assert') return node.kind === 'text start';
  if (node.type === 'sequence') return node.items[0] !== undefined && startsAtText(node.items[0]);
  return (node.type === 'group' || node.type === 'atomic') && startsAtText(node.body);
}

/** The sets of the characters that a part may begin with; undefined if it may match nothing, or that is unknown. */
function firstOf(node: PatternNode): CharSet[] | undefined {
  switch (node.type) {
    case 'char':
      return [setOf(...(node.variants ?? [node.code]))];
    case 'set':
      return [node.set];
    case 'group':
    case 'atomic':
      return firstOf(node.body);
    case 'repeat':
      return node.min === 0 ? undefined : firstOf(node.body);
    case 'choice':
      return together(node.branches.map(firstOf));
    case 'sequence':
      return firstOfItems(node.items);
    default:
      return undefined;
  }
}

/** Returns the first characters of a sequence; an item that may match nothing adds those of the next one. */
function firstOfItems(items: PatternNode[]): CharSet[] | undefined {
  const optional: CharSet[] = [];
  for (const item of items) {
    const isPlace = item.type === 'assert' || item.type === 'look';
    const first = item.type === 'repeat' && item.min === 0 ? firstOf(item.body) : firstOf(item);
    if (first === undefined && !isPlace) return undefined;
    optional.push(...(first ?? []));
    if (optional.length > MAX_FIRST_SETS) return undefined;
    if (!isPlace && !(item.type === 'repeat' && item.min === 0)) return optional;
  }
  return undefined;
}

function together(firsts: (CharSet[] | undefined)[]): CharSet[] | undefined {
  const all: CharSet[] = [];
  for (const first of firsts) {
    if (first === undefined) return undefined;
    all.push(...first);
    if (all.length > MAX_FIRST_SETS) return undefined;
  }
  return all;
}
