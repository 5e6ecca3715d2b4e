import { createLinkedList } from '../runtime/linked-list.js';

/** More wait only where something is wrong: workers have far fewer jobs at work. */
const MOST_WAITING = 1000;
/** What a group (a tenant) may have to all origins together, in connections to one origin. */
const ORIGINS_PER_GROUP = 4;
/** What there is for all groups together, in the same measure. */
const ORIGINS_IN_ALL = 16;

/** So many requests wait for a connection that no more may. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many requests wait for a connection');
    this.name = 'TooManyWaiting';
  }
}

export interface ConnectionSlots {
  /**
   * Gives what ends the use of a connection to `origin`, as soon as there may be one. `group`: whoever asks, with a
   * share of its own.
   * @throws TooManyWaiting, and the reason of `signal` when that ends first.
   */
  take(origin: string, group: number | undefined, signal: AbortSignal): Promise<() => void>;
}

/** What a connection counts towards. */
type Seat = readonly string[];

interface Waiting {
  seat: Seat;
  go(): void;
}

/**
 * At most `perOrigin` connections to one origin for each group, four times as many for a group in all, and sixteen
 * times as many together: no group's slow targets take the connections of another.
 */
export function createConnectionSlots(perOrigin: number): ConnectionSlots {
  const used = new Map<string, number>();
  const waiting = createLinkedList<Waiting>();
  const limits = [perOrigin, perOrigin * ORIGINS_PER_GROUP, perOrigin * ORIGINS_IN_ALL];
  const isFree = (seat: Seat) => seat.every((key, index) => (used.get(key) ?? 0) < (limits[index] ?? 0));

  const hold = (seat: Seat) => {
    for (const key of seat) used.set(key, (used.get(key) ?? 0) + 1);
    return () => release(seat);
  };
  const release = (seat: Seat) => {
    for (const key of seat) {
      const left = (used.get(key) ?? 0) - 1;
      if (left > 0) used.set(key, left);
      else used.delete(key);
    }
    for (const next of waiting) if (isFree(next.seat)) return next.go();
  };

  return {
    take(origin, group, signal) {
      const name = group === undefined ? 'none' : String(group);
      const seat = [`${name} ${origin}`, name, 'all'];
      if (isFree(seat)) return Promise.resolve(hold(seat));
      if (waiting.size >= MOST_WAITING) return Promise.reject(new TooManyWaiting());
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          leave();
          reject(signal.reason as Error);
        };
        const leave = waiting.enter({
          seat,
          go() {
            leave();
            signal.removeEventListener('abort', onAbort);
            resolve(hold(seat));
          },
        });
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
