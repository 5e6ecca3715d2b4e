import type { CharSet } from '../characters/char-set.js';
import type { AssertKind } from '../reading/pattern-node.js';

/** Numbers of one instruction: its kind, and up to six operands. */
export const INSTRUCTION_SIZE = 7;

/** Kinds of instructions, with their operands. */
export const Op = {
  /** A UTF-16 unit. */
  UNIT: 0,
  /** A set. */
  SET: 1,
  /** A set, fewest, most (-1: no limit), mode, number of its bookkeeping (-1: none), the unit that must follow (-1: any). */
  RUN: 2,
  /** First address, second address, number of its register (-1: none). */
  SPLIT: 3,
  JUMP: 4,
  /** A register: it becomes the position. */
  MARK: 5,
  /** Number of a group, whose start was marked. */
  CLOSE: 6,
  ASSERT: 7,
  /** A list of groups, and whether letter case counts (1: it does not). */
  BACK_REFERENCE: 8,
  /** Opens an atomic group or look-around. Operand: address on failure, or -1. */
  FRAME: 9,
  /** Ends it: goes on at the place that was reached (atomic), or where it began (look). */
  ATOMIC_END: 10,
  LOOK_END: 11,
  /** The body of a negative look-around matched: fails. */
  DENIED_END: 12,
  /** Goes back: fewest characters, most (-1: no limit). */
  BACK: 13,
  /** Fails unless what looks behind ends where it began. */
  BACK_END: 14,
  /** A register: goes to the target if the position is still the one that was marked. */
  IF_EMPTY: 15,
  /** Address of the group. */
  CALL: 16,
  /** Number of the group that ends; 0 if it captures nothing. */
  RETURN: 17,
  /** A list of groups: goes to the target if none of them matched. */
  UNLESS_MATCHED: 18,
  GRAPHEME: 19,
  /** Table of where to go by the next unit. */
  DISPATCH: 20,
  MATCH: 21,
} as const;

export const Mode = { GREEDY: 0, LAZY: 1, POSSESSIVE: 2 } as const;

export const ASSERT_KINDS: readonly AssertKind[] = [
  'line start',
  'line end',
  'text start',
  'text end',
  'text end or last line break',
  'search start',
  'word boundary',
  'no word boundary',
  'ASCII word boundary',
  'no ASCII word boundary',
];

/** Registers before those of groups: the start of the match, moved by `\K`, and the call that runs. */
export const KEEP_REGISTER = 0;
export const CALL_REGISTER = 1;
/** Each group has three: where it was opened last; start and end of what it matched last. */
export const FIRST_GROUP_REGISTER = 2;
export const GROUP_REGISTERS = 3;

/** A compiled pattern. */
export interface Program {
  code: Int32Array;
  sets: readonly CharSet[];
  /** Numbers of groups that a reference means. */
  groupLists: readonly (readonly number[])[];
  tables: readonly ReadonlyMap<number, number>[];
  registers: number;
  groupNames: readonly (string | undefined)[];
  /** Bookkeeping of what has failed: how many choices and runs have one. */
  choices: number;
  runs: number;
  start: StartHint;
}

/** The known start of every match. */
export interface StartHint {
  /** This text; empty if unknown. */
  literal: string;
  /** One of these characters; undefined if unknown. */
  first?: CharSet;
  /** This text is in every match; empty if unknown. */
  required: string;
  /** At the start of the text only. */
  atTextStart: boolean;
}

/** Returns the number of instructions. */
export function programSize({ code }: Program): number {
  return code.length / INSTRUCTION_SIZE;
}
