import type { CharSet } from '../characters/char-set.js';
import { PatternError } from '../pattern-error.js';
import type { Group } from '../reading/pattern-node.js';
import { INSTRUCTION_SIZE, Op } from './program.js';

const ANY = -1;

/** Instructions that are being written, and the tables that they refer to by number. */
export class CodeWriter {
  readonly code: number[] = [];
  readonly sets: CharSet[] = [];
  readonly groupLists: number[][] = [];
  readonly tables: Map<number, number>[] = [];
  readonly #maxNumbers: number;

  constructor(maxInstructions: number) {
    this.#maxNumbers = maxInstructions * INSTRUCTION_SIZE;
  }

  /** The address of the next instruction. */
  get here(): number {
    return this.code.length;
  }

  /** Appends an instruction and returns its address. @throws PatternError if there are too many. */
  emit(op: number, ...operands: number[]): number {
    const at = this.code.length;
    if (at >= this.#maxNumbers) throw new PatternError('too large');
    this.code.push(op, ...operands);
    while (this.code.length < at + INSTRUCTION_SIZE) this.code.push(0);
    return at;
  }

  /** Lets the jumps at these addresses go to the next instruction. */
  landHere(jumps: readonly number[]): void {
    for (const jump of jumps) this.code[jump + 1] = this.here;
  }

  /** Says where a choice goes first, and where then. */
  aim(split: number, first: number, second: number): void {
    this.code[split + 1] = first;
    this.code[split + 2] = second;
  }

  addSet(set: CharSet): number {
    return this.sets.push(set) - 1;
  }

  addGroups(groups: Group[]): number {
    return this.groupLists.push(groups.map(({ number }) => number).filter((number) => number > 0)) - 1;
  }

  /** A run that a certain unit must follow is only given back as far as such units. */
  hintRuns(): void {
    const { code } = this;
    for (let at = 0; at < code.length; at += INSTRUCTION_SIZE) {
      const next = at + INSTRUCTION_SIZE;
      if (code[at] === Op.RUN && code[next] === Op.UNIT) code[at + 6] = code[next + 1] ?? ANY;
    }
  }
}
