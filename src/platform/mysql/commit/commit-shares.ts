import { Unavailable } from '../../errors.js';

/** The owner of an item, and the most items of one owner that may be waiting and running. */
export interface Shares<Item> {
  keyOf(item: Item): number;
  most: number;
}

/** `cause`: why the current batch is not stored yet, if there is a fault. */
export function tooMuch(name: string, cause?: unknown): Unavailable {
  return new Unavailable(`Too much is waiting to be stored (${name})`, { cause, retryAfterSeconds: 1 });
}

/** Limits the items per owner, so that one owner cannot fill the whole queue. */
export function createCommitShares<Item>(name: string, shares: Shares<Item> | undefined) {
  const counts = new Map<number, number>();
  return {
    /** Counts the item; returns a function that removes it again. @throws Unavailable */
    enter(item: Item): () => void {
      if (shares === undefined) return () => {};
      const key = shares.keyOf(item);
      const before = counts.get(key) ?? 0;
      if (before >= shares.most) throw tooMuch(name);
      counts.set(key, before + 1);
      return () => {
        const now = (counts.get(key) ?? 1) - 1;
        if (now === 0) counts.delete(key);
        else counts.set(key, now);
      };
    },
  };
}
