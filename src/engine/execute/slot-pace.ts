/** How often slots come free, by windows of time; all times in ms on the clock of `performance.now()`. */
export class SlotPace {
  readonly #windowMs: number;
  readonly #begunAt: number;
  #windowAt: number;
  #inWindow = 0;
  #before = 0;
  #ended = 0;
  #movedAt: number;

  constructor(windowMs: number, begunAt: number) {
    this.#windowMs = windowMs;
    this.#begunAt = begunAt;
    this.#windowAt = begunAt;
    this.#movedAt = begunAt;
  }

  /** A slot was taken. */
  took(now: number): void {
    this.#movedAt = now;
  }

  /** A slot came free. */
  ended(now: number): void {
    this.#roll(now);
    this.#movedAt = now;
    this.#inWindow += 1;
    this.#ended += 1;
  }

  /** Slots that came free in the last window, or in this one so far if more. */
  recent(now: number): number {
    this.#roll(now);
    return Math.max(this.#before, this.#inWindow);
  }

  /** Slots that have come free so far. */
  total(): number {
    return this.#ended;
  }

  /** Nothing was taken and nothing came free for a whole window. */
  standsStill(now: number): boolean {
    return now - this.#movedAt > this.#windowMs;
  }

  /** The first window is not over: nothing is known yet. */
  isNew(now: number): boolean {
    return now - this.#begunAt < this.#windowMs;
  }

  #roll(now: number): void {
    const past = now - this.#windowAt;
    if (past < this.#windowMs) return;
    this.#before = past < 2 * this.#windowMs ? this.#inWindow : 0;
    this.#inWindow = 0;
    this.#windowAt = now;
  }
}
