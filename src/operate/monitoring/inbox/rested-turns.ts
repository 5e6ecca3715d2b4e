import { setTimeout as sleep } from 'node:timers/promises';

/** Does a piece of work for a tenant when it is its turn; returns what it returns. @throws what it throws. */
export type TakeTurn = <T>(tenantId: number, work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that does one piece of work at a time. After each, its tenant rests for `rest` times as long as it took,
 * at most `mostMs`; others do not wait for that.
 */
export function createRestedTurns(rest: number, mostMs: number): TakeTurn {
  const resting = new Map<number, Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return (tenantId, work) => {
    let tookMs = 0;
    const timed = async () => {
      const beganAt = performance.now();
      try {
        return await work();
      } finally {
        tookMs = performance.now() - beganAt;
      }
    };
    const turn = (resting.get(tenantId) ?? Promise.resolve()).then(() => oneAtATime(timed));
    const pause = () => sleep(Math.min(mostMs, rest * tookMs), undefined, { ref: false });
    const rested = turn.then(pause, pause);
    resting.set(tenantId, rested);
    void rested.finally(() => {
      if (resting.get(tenantId) === rested) resting.delete(tenantId);
    });
    return turn;
  };
}
