import type { BenchStores } from './bench-stores.js';

/** How often transactions waited for a row that another one had locked, and how long at most. */
export interface LockWaits {
  waits: number;
  longestMs: number;
}

/** Returns InnoDB's counters for the duration of `work`; both kinds of server have them. */
export async function withLockWaits<T>(
  stores: BenchStores,
  work: () => Promise<T>,
): Promise<{ result: T; locks: LockWaits }> {
  const before = await stores.counters();
  const result = await work();
  const after = await stores.counters();
  const of = (name: string) => {
    const [was, is] = [before, after].map((values) => values.get(`Innodb_row_lock_${name}`));
    if (was === undefined || is === undefined)
      throw new Error(`The server does not count Innodb_row_lock_${name}`);
    return { is, grown: is - was };
  };
  const longest = of('time_max');
  // It is the longest since the server started: where it did not grow, the waits of this time bound it.
  const longestMs = longest.grown > 0 ? longest.is : Math.min(longest.is, of('time').grown);
  return { result, locks: { waits: of('waits').grown, longestMs } };
}
