import { PatternError } from '../pattern-error.js';

/** Numbers of one entry: its kind and three values. */
export const ENTRY_SIZE = 4;
const FIRST_NUMBERS = 1 << 10;
/** 64 MB. */
const MAX_NUMBERS = 1 << 24;

export const Entry = {
  /** Instruction and place where to go on. */
  CHOICE: 0,
  /** Register and the value that it had. */
  UNDO: 1,
  /** Instruction where to go on (-1: nowhere), place, and the frame around it. */
  FRAME: 2,
  /** A run, the place up to which it goes now, and the place to which it may be given back. */
  GREEDY: 3,
  /** A run, the place up to which it goes now, and the place up to which it can go. */
  LAZY: 4,
  /** A choice at a place, by number: when this is reached, it has failed. */
  CHOICE_FAILED: 5,
  /** A run, and the places from and to: when this is reached, the rest does not match from them. */
  RUN_FAILED: 6,
  /** Instruction, place, and how many characters it may go further back (-1: no limit). */
  BACK: 7,
} as const;

/** States to which a search goes back when a part does not match. */
export class BacktrackStack {
  numbers = new Int32Array(FIRST_NUMBERS);
  top = 0;

  /** @throws PatternError if the search needs too much memory. */
  push(kind: number, first: number, second: number, third: number): void {
    if (this.top + ENTRY_SIZE > this.numbers.length) this.#grow();
    const { numbers, top } = this;
    numbers[top] = kind;
    numbers[top + 1] = first;
    numbers[top + 2] = second;
    numbers[top + 3] = third;
    this.top = top + ENTRY_SIZE;
  }

  /** Removes the frame at `frame` and everything above it, but for the values of registers that are to be restored. */
  commit(frame: number): void {
    const { numbers } = this;
    let kept = frame;
    for (let at = frame + ENTRY_SIZE; at < this.top; at += ENTRY_SIZE) {
      if (numbers[at] !== Entry.UNDO) continue;
      numbers.copyWithin(kept, at, at + ENTRY_SIZE);
      kept += ENTRY_SIZE;
    }
    this.top = kept;
  }

  #grow(): void {
    if (this.numbers.length >= MAX_NUMBERS) throw new PatternError('the search needs too much memory');
    const larger = new Int32Array(this.numbers.length * 2);
    larger.set(this.numbers);
    this.numbers = larger;
  }
}
