/** The rate at which slots are released, in windows of time; all times are ms of `performance.now()`. */
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

  /** A slot was released. */
  ended(now: number): void {
    this.#roll(now);
    this.#movedAt = now;
    this.#inWindow += 1;
    this.#ended += 1;
  }

  /** Returns the slots released in the last window, or in the current one if more. */
  recent(now: number): number {
    this.#roll(now);
    return Math.max(this.#before, this.#inWindow);
  }

  /** Returns the slots released so far. */
  total(): number {
    return this.#ended;
  }

  /** Returns true if no slot was taken or released for a whole window. */
  standsStill(now: number): boolean {
    return now - this.#movedAt > this.#windowMs;
  }

  /** Returns true during the first window: the rate is not known yet. */
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
