import { Unavailable } from '../errors.js';

/** Whom an item counts for, and how many each may have waiting and under way. */
export interface Shares<Item> {
  keyOf(item: Item): number;
  most: number;
}

/** `cause`: why the batch under way has not been stored yet, if something is wrong. */
export function tooMuch(name: string, cause?: unknown): Unavailable {
  return new Unavailable(`Too much is waiting to be stored (${name})`, { cause, retryAfterSeconds: 1 });
}

/** Keeps one caller's flood from filling the room of all. */
export function createShares<Item>(name: string, shares: Shares<Item> | undefined) {
  const counts = new Map<number, number>();
  return {
    /** Gives what takes the item out again. @throws Unavailable */
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
