const READS_BETWEEN_CHECKS = 64;

/**
 * A text for the pattern engine that looks at the clock while it is read: the engine cannot be interrupted, but
 * every character goes through `charCodeAt`. To it anything is a text that says so.
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
