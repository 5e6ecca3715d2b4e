import { type BacktrackStack, Entry } from './backtrack-stack.js';
import type { CharSet } from '../characters/char-set.js';
import type { FailedPlaces } from './failed-places.js';
import { INSTRUCTION_SIZE, Mode, type Program } from '../program/program.js';
import { afterCharacter, beforeCharacter } from './text-places.js';

const FAILS = -1;

/**
 * Runs of characters of one set (`\d+`, `.*?`): one entry on the stack stands for all the places to which a run may go.
 * How far a run goes, and from where the rest has failed, is kept: runs that begin in one another cost no more than one.
 */
export class RunMatcher {
  readonly #program: Program;
  readonly #text: string;
  readonly #failed: FailedPlaces;
  readonly #stack: BacktrackStack;
  /** Characters that the last call looked at. */
  steps = 0;

  constructor(
    program: Program,
    text: string,
    { failed, stack }: { failed: FailedPlaces; stack: BacktrackStack },
  ) {
    this.#program = program;
    this.#text = text;
    this.#failed = failed;
    this.#stack = stack;
  }

  /** Begins the run of the instruction at `at`; returns the place where the rest goes on, -1 if it fails. */
  start(at: number, place: number): number {
    const { code } = this.#program;
    this.steps = 0;
    const min = code[at + 2] ?? 0;
    const max = code[at + 3] ?? FAILS;
    const low = min === 0 ? place : this.#end(at, place, min);
    if (min > 0 && this.#lastCount < min) return FAILS;
    const high = max === min ? low : max < 0 ? this.#farthest(at, low) : this.#end(at, low, max - min);
    if (high === low || code[at + 4] === Mode.POSSESSIVE) return high;
    const run = code[at + 5] ?? FAILS;
    if (run >= 0) this.#stack.push(Entry.RUN_FAILED, run, low, high);
    if (code[at + 4] === Mode.LAZY) return this.#lazyFrom(at, low, high);
    return this.#greedyFrom(at, low, high);
  }

  /** Goes on after what followed a greedy run did not match: gives a character back. */
  giveBack(at: number, place: number, low: number): number {
    this.steps = 0;
    return place <= low ? FAILS : this.#greedyFrom(at, low, beforeCharacter(this.#text, place));
  }

  /** Goes on after what followed a lazy run did not match: takes one more character. */
  takeMore(at: number, place: number, high: number): number {
    this.steps = 0;
    return place >= high ? FAILS : this.#lazyFrom(at, afterCharacter(this.#text, place), high);
  }

  #greedyFrom(at: number, low: number, high: number): number {
    const { code } = this.#program;
    const run = code[at + 5] ?? FAILS;
    const unit = code[at + 6] ?? FAILS;
    const failedFrom = this.#failed.failedFrom[run] ?? FAILS;
    const failedTo = this.#failed.failedTo[run] ?? FAILS - 1;
    let place = high;
    for (; place >= low; place = beforeCharacter(this.#text, place)) {
      this.steps += 1;
      if (place >= failedFrom && place <= failedTo) {
        place = failedFrom;
        continue;
      }
      if (unit >= 0 && this.#text.charCodeAt(place) !== unit) continue;
      if (place > low) this.#stack.push(Entry.GREEDY, at, place, low);
      return place;
    }
    return FAILS;
  }

  #lazyFrom(at: number, low: number, high: number): number {
    const { code } = this.#program;
    const run = code[at + 5] ?? FAILS;
    const unit = code[at + 6] ?? FAILS;
    const failedFrom = this.#failed.failedFrom[run] ?? FAILS;
    const failedTo = this.#failed.failedTo[run] ?? FAILS - 1;
    let place = low;
    for (; place <= high; place = afterCharacter(this.#text, place)) {
      this.steps += 1;
      if (place >= failedFrom && place <= failedTo) {
        place = failedTo;
        continue;
      }
      if (unit >= 0 && this.#text.charCodeAt(place) !== unit) continue;
      if (place < high) this.#stack.push(Entry.LAZY, at, place, high);
      return place;
    }
    return FAILS;
  }

  #lastCount = 0;

  /** Returns where at most `most` characters of the set end; `#lastCount` of them were there. */
  #end(at: number, place: number, most: number): number {
    const set = this.#setOf(at);
    let end = place;
    let count = 0;
    while (count < most) {
      const character = this.#text.codePointAt(end);
      if (character === undefined || !set.has(character)) break;
      end += character > 0xffff ? 2 : 1;
      count += 1;
    }
    this.steps += count;
    this.#lastCount = count;
    return end;
  }

  /** Returns where the characters of the set end. */
  #farthest(at: number, place: number): number {
    const run = this.#program.code[at + 5] ?? FAILS;
    const set = this.#setOf(at);
    const { runStarts, runEnds } = this.#failed;
    const knownStart = runStarts[run] ?? FAILS;
    const knownEnd = runEnds[run] ?? FAILS;
    if (place >= knownStart && place <= knownEnd) return knownEnd;
    let end = place;
    while (end !== knownStart) {
      const character = this.#text.codePointAt(end);
      if (character === undefined || !set.has(character)) break;
      end += character > 0xffff ? 2 : 1;
    }
    this.steps += end - place;
    if (end === knownStart) end = knownEnd;
    if (run >= 0) {
      runStarts[run] = place;
      runEnds[run] = end;
    }
    return end;
  }

  #setOf(at: number): CharSet {
    const set = this.#program.sets[this.#program.code[at + 1] ?? 0];
    if (set === undefined) throw new Error(`The program has no set at ${at / INSTRUCTION_SIZE}`);
    return set;
  }
}
