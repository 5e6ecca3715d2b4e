/** Interval of probes of a preferred host, slower than those of the current one. */
const LOOK_EVERY_MS = 5_000;
/** An earlier host must have served without a break for this long. */
const CALM_MS = 30_000;
const MOST_CALM_MS = 10 * 60_000;
/** A host that fails within this time after a return was not well yet. */
const RELAPSE_MS = 5 * 60_000;

/** Decides when an earlier host of the list is used again, so that a host that comes and goes is not followed each time. */
export interface FailBack {
  /** Whether it is time to look at the earlier hosts. */
  isDue(): boolean;
  /** Takes which of the earlier hosts serve now; returns the one to return to. */
  seen(serving: boolean[]): number | undefined;
  /** The host in this place is no longer good. */
  left(index: number): void;
}

/** `now` is in ms, and never jumps. */
export function createFailBack(now: () => number = () => performance.now()): FailBack {
  const wellSince = new Map<number, number>();
  const calm = new Map<number, number>();
  const returnedAt = new Map<number, number>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const isCalm = (index: number) => now() - (wellSince.get(index) ?? now()) >= (calm.get(index) ?? CALM_MS);
  return {
    isDue: () => now() - lookedAt >= LOOK_EVERY_MS,
    seen(serving) {
      lookedAt = now();
      serving.forEach((isServing, index) => {
        if (!isServing) wellSince.delete(index);
        else if (!wellSince.has(index)) wellSince.set(index, now());
      });
      const to = serving.findIndex((isServing, index) => isServing && isCalm(index));
      if (to === -1) return undefined;
      wellSince.clear();
      returnedAt.set(to, now());
      return to;
    },
    left(index) {
      wellSince.delete(index);
      const returned = returnedAt.get(index);
      if (returned === undefined) return;
      returnedAt.delete(index);
      const longer = Math.min(MOST_CALM_MS, 2 * (calm.get(index) ?? CALM_MS));
      calm.set(index, now() - returned < RELAPSE_MS ? longer : CALM_MS);
    },
  };
}
