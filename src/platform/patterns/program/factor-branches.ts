import { caseVariants } from '../characters/case-folding.js';
import type { CharNode, PatternNode } from '../reading/pattern-node.js';

/** Alternatives that are told apart by the UTF-16 unit that each begins with; at most one of them can match. */
export interface BranchTable {
  type: 'table';
  branches: { units: readonly number[]; branch: PatternNode }[];
}

/** From so many words on, a table is worth its place. */
const MIN_WORDS = 4;

/**
 * Puts neighbouring alternatives that begin with a character each (a list of words) into tables, and what the words of
 * one character have in common before the rest of them. The order in which alternatives are tried stays.
 */
export function factorBranches(branches: PatternNode[]): (PatternNode | BranchTable)[] {
  const factored: (PatternNode | BranchTable)[] = [];
  let words: PatternNode[] = [];
  const endWords = (): void => {
    const table = words.length < MIN_WORDS ? undefined : tableOf(words);
    if (table === undefined) factored.push(...words);
    else factored.push(table);
    words = [];
  };
  for (const branch of branches) {
    if (startOf(branch, 1).length > 0) words.push(branch);
    else {
      endWords();
      factored.push(branch);
    }
  }
  endWords();
  return factored;
}

/** Returns undefined if letter case counts in some of the words only: their characters cannot be told apart. */
function tableOf(words: PatternNode[]): BranchTable | undefined {
  const ignoresCase = words.some((word) => startOf(word, 1)[0]?.variants !== undefined);
  const byUnits = new Map<number, { units: readonly number[]; words: PatternNode[] }>();
  for (const word of words) {
    const code = startOf(word, 1)[0]?.code ?? 0;
    const units = ignoresCase ? caseVariants(code) : [code];
    const key = units[0] ?? code;
    const group = byUnits.get(key);
    if (group === undefined) byUnits.set(key, { units, words: [word] });
    else group.words.push(word);
  }
  const branches: BranchTable['branches'] = [];
  for (const { units, words: group } of byUnits.values()) {
    const branch = withSharedStart(group);
    if (branch === undefined) return undefined;
    branches.push({ units, branch });
  }
  return { type: 'table', branches };
}

function withSharedStart(words: PatternNode[]): PatternNode | undefined {
  const [first] = words;
  if (first === undefined || words.length === 1) return first;
  let shared = startOf(first, Number.POSITIVE_INFINITY);
  for (const word of words) shared = commonStart(shared, startOf(word, shared.length));
  if (shared.length === 0) return undefined;
  const branches = words.map(
    (word): PatternNode => ({
      type: 'sequence',
      items: itemsOf(word).slice(shared.length),
    }),
  );
  return { type: 'sequence', items: [...shared, { type: 'choice', branches }] };
}

function commonStart(one: CharNode[], other: CharNode[]): CharNode[] {
  const end = one.findIndex((char, index) => !isSame(char, other[index]));
  return end < 0 ? one : one.slice(0, end);
}

function isSame(one: CharNode, other: CharNode | undefined): boolean {
  if (one.variants !== undefined || other?.variants !== undefined) return one.variants === other?.variants;
  return one.code === other?.code;
}

/** The characters of one unit that a part begins with, at most `most`. */
function startOf(node: PatternNode, most: number): CharNode[] {
  const start: CharNode[] = [];
  for (const item of itemsOf(node)) {
    if (start.length >= most || item.type !== 'char' || !isOneUnit(item.code)) break;
    start.push(item);
  }
  return start;
}

function itemsOf(node: PatternNode): PatternNode[] {
  return node.type === 'sequence' ? node.items : [node];
}

function isOneUnit(code: number): boolean {
  return code < 0xd800 || (code > 0xdfff && code < 0x10000);
}
