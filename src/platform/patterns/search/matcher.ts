import { BacktrackStack, Entry, ENTRY_SIZE } from './backtrack-stack.js';
import { FailedPlaces } from './failed-places.js';
import { PatternError } from '../pattern-error.js';
import { CALL_REGISTER, INSTRUCTION_SIZE, KEEP_REGISTER, Op, type Program } from '../program/program.js';
import { Registers } from './registers.js';
import { RunMatcher } from './run-matcher.js';
import {
  beforeCharacter,
  graphemeEnd,
  holdsAt,
  type TextSpan,
  sameTextEnd,
  sameTextEndIgnoringCase,
} from './text-places.js';

const STEPS_BETWEEN_CHECKS = 2_048;
/** From so many steps on, choices that fail are kept. */
const STEPS_BEFORE_KEEPING = 8_192;
const MAX_CALLS = 1_000_000;
const FAILS = -1;

interface Call {
  returnTo: number;
  /** Number of the call around it. */
  around: number;
  start: number;
}

/** Runs a program on a text: tries one alternative after the other, and none twice at the same place. */
export class Matcher {
  readonly #program: Program;
  readonly #text: string;
  readonly #checkTime: () => void;
  readonly #failed: FailedPlaces;
  readonly #stack = new BacktrackStack();
  readonly #runs: RunMatcher;
  readonly #registers: Registers;
  readonly #calls: Call[] = [];
  /** Index of the innermost frame on the stack. */
  #frame = FAILS;
  #place = 0;
  #searchStart = 0;
  #stepsLeft = STEPS_BETWEEN_CHECKS;
  #steps = 0;

  /** @param checkTime throws when the time is up; called about once in 2,000 steps. */
  constructor(program: Program, text: string, checkTime: () => void) {
    this.#program = program;
    this.#text = text;
    this.#checkTime = checkTime;
    this.#failed = new FailedPlaces(program, text.length);
    this.#registers = new Registers(program.registers, this.#stack);
    this.#runs = new RunMatcher(program, text, { failed: this.#failed, stack: this.#stack });
  }

  /** Place of the last match. */
  get match(): TextSpan {
    return { start: this.#registers.values[KEEP_REGISTER] ?? 0, end: this.#place };
  }

  /** Returns the place of a group of the last match, by number from 1; undefined if it did not match. */
  groupPlace(number: number): TextSpan | undefined {
    return this.#registers.groupPlace(number);
  }

  /**
   * Returns true if the program matches from exactly `start`.
   * @param searchStart the place that `\G` stands for.
   * @throws PatternError if it needs too much memory.
   */
  matchesAt(start: number, searchStart: number): boolean {
    this.#registers.values.fill(FAILS);
    this.#registers.values[KEEP_REGISTER] = start;
    this.#stack.top = 0;
    if (this.#calls.length > 0) this.#calls.length = 0;
    this.#frame = FAILS;
    this.#place = start;
    this.#searchStart = searchStart;
    const { code } = this.#program;
    for (let at = 0; code[at] !== Op.MATCH; ) {
      this.countSteps(1);
      at = this.#step(code, at);
      if (at === FAILS) at = this.#backtrack();
      if (at === FAILS) return false;
    }
    return true;
  }

  /** Counts work, and checks the time now and then. */
  countSteps(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft > 0) return;
    this.#steps += STEPS_BETWEEN_CHECKS - this.#stepsLeft;
    this.#stepsLeft = STEPS_BETWEEN_CHECKS;
    if (this.#steps > STEPS_BEFORE_KEEPING) this.#failed.keepChoices();
    this.#checkTime();
  }

  /** Runs the instruction at `at`; returns the address of the next one, -1 if it fails. */
  #step(code: Int32Array, at: number): number {
    const next = at + INSTRUCTION_SIZE;
    const first = code[at + 1] ?? 0;
    switch (code[at]) {
      case Op.UNIT:
        if (this.#text.charCodeAt(this.#place) !== first) return FAILS;
        this.#place += 1;
        return next;
      case Op.SET: {
        const character = this.#text.codePointAt(this.#place);
        if (character === undefined || this.#program.sets[first]?.has(character) !== true) return FAILS;
        this.#place += character > 0xffff ? 2 : 1;
        return next;
      }
      case Op.RUN:
        return this.#continueRun(at, this.#runs.start(at, this.#place));
      case Op.SPLIT:
        return this.#split(code, at);
      case Op.JUMP:
        return first;
      case Op.MARK:
        this.#registers.set(first, this.#place);
        return next;
      case Op.CLOSE:
        this.#registers.close(first, { start: this.#registers.openedAt(first), end: this.#place });
        return next;
      case Op.ASSERT:
        return holdsAt(this.#text, this.#place, { kind: first, searchStart: this.#searchStart })
          ? next
          : FAILS;
      case Op.IF_EMPTY:
        return this.#registers.values[first] === this.#place ? (code[at + 2] ?? next) : next;
      case Op.DISPATCH:
        return this.#program.tables[first]?.get(this.#text.charCodeAt(this.#place)) ?? FAILS;
      case Op.FRAME:
        this.#stack.push(Entry.FRAME, first, this.#place, this.#frame);
        this.#frame = this.#stack.top - ENTRY_SIZE;
        return next;
      case Op.ATOMIC_END:
      case Op.LOOK_END:
      case Op.DENIED_END:
      case Op.BACK_END:
        return this.#endFrame(code[at] ?? 0) ? next : FAILS;
      default:
        return this.#rareStep(code, at);
    }
  }

  #rareStep(code: Int32Array, at: number): number {
    const next = at + INSTRUCTION_SIZE;
    const first = code[at + 1] ?? 0;
    const second = code[at + 2] ?? 0;
    switch (code[at]) {
      case Op.BACK_REFERENCE:
        return this.#refer(this.#program.groupLists[first] ?? [], second === 1) ? next : FAILS;
      case Op.BACK:
        return this.#goBack(at, { characters: first, more: second < 0 ? second : second - first });
      case Op.CALL:
        if (this.#calls.length >= MAX_CALLS) throw new PatternError('it calls groups too often');
        this.#calls.push({
          returnTo: next,
          around: this.#registers.values[CALL_REGISTER] ?? FAILS,
          start: this.#place,
        });
        this.#registers.set(CALL_REGISTER, this.#calls.length - 1);
        return first;
      case Op.RETURN: {
        const call = this.#calls[this.#registers.values[CALL_REGISTER] ?? FAILS];
        if (call === undefined) return FAILS;
        if (first > 0) this.#registers.close(first, { start: call.start, end: this.#place });
        this.#registers.set(CALL_REGISTER, call.around);
        return call.returnTo;
      }
      case Op.UNLESS_MATCHED:
        return (this.#program.groupLists[first] ?? []).some(
          (group) => this.#registers.groupPlace(group) !== undefined,
        )
          ? next
          : second;
      case Op.GRAPHEME: {
        if (this.#place >= this.#text.length) return FAILS;
        const end = graphemeEnd(this.#text, this.#place);
        this.countSteps(end - this.#place);
        this.#place = end;
        return next;
      }
      default:
        throw new Error(`The program has no instruction at ${at}`);
    }
  }

  #split(code: Int32Array, at: number): number {
    const choice = code[at + 3] ?? FAILS;
    if (choice >= 0 && this.#failed.keepsChoices) {
      const place = this.#failed.placeOf(choice, this.#place);
      if (this.#failed.hasFailed(place)) return FAILS;
      this.#stack.push(Entry.CHOICE_FAILED, place, 0, 0);
    }
    this.#stack.push(Entry.CHOICE, code[at + 2] ?? 0, this.#place, 0);
    return code[at + 1] ?? 0;
  }

  #continueRun(at: number, place: number): number {
    this.countSteps(this.#runs.steps);
    if (place < 0) return FAILS;
    this.#place = place;
    return at + INSTRUCTION_SIZE;
  }

  /** Returns true if what is in the frame matched as it should; takes the frame off the stack. */
  #endFrame(kind: number): boolean {
    const { numbers } = this.#stack;
    const began = numbers[this.#frame + 2] ?? 0;
    if (kind === Op.BACK_END) return this.#place === began;
    const frame = this.#frame;
    this.#frame = numbers[frame + 3] ?? FAILS;
    if (kind === Op.DENIED_END) {
      this.#registers.takeBackTo(frame);
      return false;
    }
    this.countSteps((this.#stack.top - frame) / ENTRY_SIZE);
    this.#stack.commit(frame);
    if (kind === Op.LOOK_END) this.#place = began;
    return true;
  }

  #refer(groups: readonly number[], ignoreCase: boolean): boolean {
    for (const group of groups.toReversed()) {
      const place = this.#registers.groupPlace(group);
      if (place === undefined) continue;
      this.countSteps(place.end - place.start);
      const end = (ignoreCase ? sameTextEndIgnoringCase : sameTextEnd)(this.#text, this.#place, place);
      if (end < 0) continue;
      this.#place = end;
      return true;
    }
    return false;
  }

  /** Goes back by `characters`, and by up to `more` (-1: no limit) if what follows does not match. */
  #goBack(at: number, { characters, more }: { characters: number; more: number }): number {
    let place = this.#place;
    for (let count = 0; count < characters; count += 1) {
      if (place <= 0) return FAILS;
      place = beforeCharacter(this.#text, place);
    }
    this.countSteps(characters);
    if (more !== 0) this.#stack.push(Entry.BACK, at, place, more);
    this.#place = place;
    return at + INSTRUCTION_SIZE;
  }

  /** Goes back to the last alternative; returns the address where it goes on, -1 if there is none. */
  #backtrack(): number {
    const stack = this.#stack;
    while (stack.top > 0) {
      stack.top -= ENTRY_SIZE;
      this.countSteps(1);
      const at = this.#goOnFrom(stack.top);
      if (at !== FAILS) return at;
    }
    return FAILS;
  }

  /** Takes up the entry that was just removed from the stack, whose numbers are at `entry`. */
  #goOnFrom(entry: number): number {
    const { numbers } = this.#stack;
    const first = numbers[entry + 1] ?? FAILS;
    const second = numbers[entry + 2] ?? FAILS;
    const third = numbers[entry + 3] ?? FAILS;
    switch (numbers[entry]) {
      case Entry.CHOICE:
        this.#place = second;
        return first;
      case Entry.UNDO:
        this.#registers.values[first] = second;
        return FAILS;
      case Entry.FRAME:
        this.#frame = third;
        this.#place = second;
        return first;
      case Entry.GREEDY:
        return this.#continueRun(first, this.#runs.giveBack(first, second, third));
      case Entry.LAZY:
        return this.#continueRun(first, this.#runs.takeMore(first, second, third));
      case Entry.CHOICE_FAILED:
        this.#failed.markFailed(first);
        return FAILS;
      case Entry.RUN_FAILED:
        this.#failed.markRunFailed(first, second, third);
        return FAILS;
      default:
        this.#place = second;
        return this.#goBack(first, { characters: 1, more: third < 0 ? third : third - 1 });
    }
  }
}
