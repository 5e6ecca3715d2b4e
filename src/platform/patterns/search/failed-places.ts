import type { Program } from '../program/program.js';

/** Most bits: 8 MB. A search of more choices times places goes on without. */
const MAX_BITS = 1 << 26;

/**
 * Memo of choices and positions that failed: no part of a pattern is tried twice at the same place, and the time of a
 * search is linear in the text for patterns whose parts depend on nothing but the place.
 */
export class FailedPlaces {
  readonly #places: number;
  readonly #isPossible: boolean;
  #bits: Uint32Array | undefined;
  /** Places up to which a run goes: from where a run was begun, to where its set ends. */
  readonly runStarts: Int32Array;
  readonly runEnds: Int32Array;
  /** Places after a run from which the rest does not match: from, to. */
  readonly failedFrom: Int32Array;
  readonly failedTo: Int32Array;

  constructor({ choices, runs }: Program, textLength: number) {
    this.#places = textLength + 1;
    this.#isPossible = choices > 0 && choices * this.#places <= MAX_BITS;
    this.#choices = choices;
    this.runStarts = new Int32Array(runs).fill(-1);
    this.runEnds = new Int32Array(runs).fill(-1);
    this.failedFrom = new Int32Array(runs).fill(-1);
    this.failedTo = new Int32Array(runs).fill(-2);
  }
  readonly #choices: number;

  /** Begins to keep choices that fail; before, only runs are kept: a short search needs no more. */
  keepChoices(): void {
    if (this.#isPossible) this.#bits ??= new Uint32Array(Math.ceil((this.#choices * this.#places) / 32));
  }

  get keepsChoices(): boolean {
    return this.#bits !== undefined;
  }

  /** Returns the number of a choice at a place. */
  placeOf(choice: number, at: number): number {
    return choice * this.#places + at;
  }

  hasFailed(place: number): boolean {
    return this.#bits !== undefined && ((this.#bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  }

  markFailed(place: number): void {
    if (this.#bits !== undefined)
      this.#bits[place >>> 5] = (this.#bits[place >>> 5] ?? 0) | (1 << (place & 31));
  }

  /** The rest of the pattern matches from none of the places between, to which this run goes. */
  markRunFailed(run: number, from: number, to: number): void {
    const [knownFrom = -1, knownTo = -2] = [this.failedFrom[run], this.failedTo[run]];
    const touches = from <= knownTo + 1 && to + 1 >= knownFrom;
    this.failedFrom[run] = touches ? Math.min(from, knownFrom) : from;
    this.failedTo[run] = touches ? Math.max(to, knownTo) : to;
  }
}
