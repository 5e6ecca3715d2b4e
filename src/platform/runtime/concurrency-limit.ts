import { Unavailable } from '../errors.js';

/** Runs work for a group unless too much runs already. @throws Unavailable with the limit's message; what the work throws. */
export type ConcurrencyLimit = <Result>(group: number, work: () => Promise<Result>) => Promise<Result>;

/** Returns a limit of how much runs at once in this process: for one group (the tenant), and for all together. */
export function createConcurrencyLimit(
  most: { ofGroup: number; ofAll: number },
  message: string,
): ConcurrencyLimit {
  const running = new Map<number, number>();
  let all = 0;
  return async (group, work) => {
    const mine = running.get(group) ?? 0;
    if (mine >= most.ofGroup || all >= most.ofAll) throw new Unavailable(message, { retryAfterSeconds: 1 });
    running.set(group, mine + 1);
    all += 1;
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (running.get(group) ?? 1) - 1;
      if (left === 0) running.delete(group);
      else running.set(group, left);
    }
  };
}
