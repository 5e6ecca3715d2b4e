/** How often slots of a story come free, by windows of time; all times in ms on the clock of `performance.now()`. */
export interface SlotPace {
  /** A slot was taken. */
  took(now: number): void;
  /** A slot came free. */
  ended(now: number): void;
  /** Slots that came free in the last window, or in this one so far if more. */
  recent(now: number): number;
  /** Slots that have come free so far. */
  total(): number;
  /** Nothing was taken and nothing came free for a whole window. */
  standsStill(now: number): boolean;
  /** The first window is not over: nothing is known yet. */
  isNew(now: number): boolean;
}

export function createSlotPace(windowMs: number, begunAt: number): SlotPace {
  let windowAt = begunAt;
  let inWindow = 0;
  let before = 0;
  let ended = 0;
  let movedAt = begunAt;

  const roll = (now: number) => {
    const past = now - windowAt;
    if (past < windowMs) return;
    before = past < 2 * windowMs ? inWindow : 0;
    inWindow = 0;
    windowAt = now;
  };

  return {
    took(now) {
      movedAt = now;
    },
    ended(now) {
      roll(now);
      movedAt = now;
      inWindow += 1;
      ended += 1;
    },
    recent(now) {
      roll(now);
      return Math.max(before, inWindow);
    },
    total: () => ended,
    standsStill: (now) => now - movedAt > windowMs,
    isNew: (now) => now - begunAt < windowMs,
  };
}
