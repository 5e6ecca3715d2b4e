import { type BacktrackStack, Entry, ENTRY_SIZE } from './backtrack-stack.js';
import { FIRST_GROUP_REGISTER, GROUP_REGISTERS } from '../program/program.js';
import type { TextSpan } from './text-places.js';

const UNSET = -1;

/** Registers of a search, such as places of groups. Backtracking undoes each change. */
export class Registers {
  readonly values: Int32Array;
  readonly #stack: BacktrackStack;

  constructor(count: number, stack: BacktrackStack) {
    this.values = new Int32Array(count);
    this.#stack = stack;
  }

  set(register: number, value: number): void {
    this.#stack.push(Entry.UNDO, register, this.values[register] ?? UNSET, 0);
    this.values[register] = value;
  }

  /** Takes back the changes above `frame`, and removes all entries down to it. */
  takeBackTo(frame: number): void {
    const stack = this.#stack;
    while (stack.top > frame) {
      stack.top -= ENTRY_SIZE;
      if (stack.numbers[stack.top] !== Entry.UNDO) continue;
      this.values[stack.numbers[stack.top + 1] ?? 0] = stack.numbers[stack.top + 2] ?? UNSET;
    }
  }

  /** Returns where a group was opened last. */
  openedAt(group: number): number {
    return this.values[FIRST_GROUP_REGISTER + GROUP_REGISTERS * (group - 1)] ?? UNSET;
  }

  close(group: number, { start, end }: TextSpan): void {
    const register = FIRST_GROUP_REGISTER + GROUP_REGISTERS * (group - 1);
    this.set(register + 1, start);
    this.set(register + 2, end);
  }

  /** Returns the place of what a group matched last, by number from 1; undefined if it did not match. */
  groupPlace(group: number): TextSpan | undefined {
    const register = FIRST_GROUP_REGISTER + GROUP_REGISTERS * (group - 1);
    const start = this.values[register + 1] ?? UNSET;
    const end = this.values[register + 2] ?? UNSET;
    return end < 0 ? undefined : { start, end };
  }
}
