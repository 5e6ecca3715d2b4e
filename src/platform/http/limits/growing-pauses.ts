import { LRUCache } from 'lru-cache';

export interface PauseOptions {
  /** Wrong attempts after which there are pauses. */
  free: number;
  /** The first pause; it doubles with every twenty further wrong attempts. */
  firstMs: number;
  longestMs: number;
  /** Time without a wrong attempt after which a name is forgotten. */
  forgetMs: number;
}

const MAX_NAMES = 10_000;
const DOUBLES_EVERY = 20;

/** Creates what counts wrong attempts by name (an address, an account), and says how long the next one has to wait. */
export function createGrowingPauses({ free, firstMs, longestMs, forgetMs }: PauseOptions) {
  const wrong = new LRUCache<string, number>({ max: MAX_NAMES, ttl: forgetMs });
  const countOf = (name: string): number => wrong.get(name) ?? 0;
  return {
    /** Returns the pause before the next attempt, in milliseconds. */
    of(name: string): number {
      const beyond = countOf(name) - free;
      return beyond < 0 ? 0 : Math.min(longestMs, firstMs * 2 ** Math.floor(beyond / DOUBLES_EVERY));
    },

    /** Counts a wrong attempt. */
    add(name: string): void {
      wrong.set(name, countOf(name) + 1);
    },

    /** Takes back an attempt that was counted and was right. */
    takeBack(name: string): void {
      const count = countOf(name);
      if (count > 1) wrong.set(name, count - 1);
      else wrong.delete(name);
    },
  };
}
