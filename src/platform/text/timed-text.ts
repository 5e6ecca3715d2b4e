const READS_BETWEEN_CHECKS = 64;

/**
 * A text that checks the time limit while the pattern engine reads it: the engine cannot be interrupted, but reads every
 * character by `charCodeAt`. It accepts any object tagged as a String.
 */
export class TimedText {
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #checkTime: () => void;
  #reads = 0;

  /** @param checkTime throws when the time is up. */
  constructor(text: string, checkTime: () => void) {
    this.#text = text;
    this.length = text.length;
    this.#checkTime = checkTime;
  }

  charCodeAt(index: number): number {
    this.#reads += 1;
    if (this.#reads % READS_BETWEEN_CHECKS === 0) this.#checkTime();
    return this.#text.charCodeAt(index);
  }

  indexOf(search: string, from?: number): number {
    return this.#text.indexOf(search, from);
  }

  substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }

  toString(): string {
    return this.#text;
  }
}
