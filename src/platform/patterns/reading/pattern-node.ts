import type { CharSet } from '../characters/char-set.js';

export type RepeatMode = 'greedy' | 'lazy' | 'possessive';

/** A place in the text: `^`, `$`, `\A`, `\z`, `\Z`, `\G`, `\b`, `\B`; the last two by Unicode's words or by ASCII's. */
export type AssertKind =
  | 'line start'
  | 'line end'
  | 'text start'
  | 'text end'
  | 'text end or last line break'
  | 'search start'
  | 'word boundary'
  | 'no word boundary'
  | 'ASCII word boundary'
  | 'no ASCII word boundary';

/** A capturing group; it has a number only when all of the pattern is read: named groups hide the others. */
export interface Group {
  name?: string;
  /** From 1 in the order of opening brackets; 0 if the group does not capture. */
  number: number;
}

/** A part of a pattern that was read. */
export type PatternNode =
  | CharNode
  | { type: 'set'; set: CharSet }
  | { type: 'sequence'; items: PatternNode[] }
  | { type: 'choice'; branches: PatternNode[] }
  | { type: 'repeat'; body: PatternNode; min: number; max: number; mode: RepeatMode }
  | { type: 'group'; group: Group; body: PatternNode }
  | { type: 'atomic'; body: PatternNode }
  | { type: 'look'; behind: boolean; negated: boolean; body: PatternNode }
  | { type: 'assert'; kind: AssertKind }
  | BackReference
  | { type: 'call'; group: Group }
  | { type: 'condition'; reference: BackReference; yes: PatternNode; no: PatternNode }
  | { type: 'keep' }
  | { type: 'grapheme' };

export interface CharNode {
  type: 'char';
  code: number;
  /** If letter case does not count: the character in every case (`caseVariants`), two at least. */
  variants?: readonly number[];
}

/** `\1`, `\k<name>`: the text of a group; of groups with the same name, the last one that matched. */
export interface BackReference {
  type: 'back reference';
  groups: Group[];
  ignoreCase: boolean;
}

/** A pattern that was read, before it is compiled. */
export interface PatternTree {
  root: PatternNode;
  /** Names of groups in order of their numbers; undefined for a group without a name. */
  groupNames: (string | undefined)[];
  /** Groups that `\g<name>` calls. */
  called: Set<Group>;
}
