import { setTimeout as sleep } from 'node:timers/promises';

/** Does a piece of work when it is its turn; returns what it returns. @throws what it throws. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that does one piece of work at a time, and rests after each for `rest` times as long as it took, at most
 * `mostMs`.
 */
export function createRestedTurns(rest: number, mostMs: number): TakeTurn {
  let free: Promise<unknown> = Promise.resolve();
  return (work) => {
    let tookMs = 0;
    const turn = free.then(async () => {
      const beganAt = performance.now();
      try {
        return await work();
      } finally {
        tookMs = performance.now() - beganAt;
      }
    });
    const pause = () => sleep(Math.min(mostMs, rest * tookMs), undefined, { ref: false });
    free = turn.then(pause, pause);
    return turn;
  };
}
