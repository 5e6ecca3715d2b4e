import { createLinkedList } from '../../runtime/linked-list.js';

/** Most waiting requests; only a fault reaches it: workers run far fewer jobs. */
const MOST_WAITING = 1000;
/** Connections of one group (a tenant) to all origins, as a multiple of those to one origin. */
const ORIGINS_PER_GROUP = 4;
/** Connections of all groups together, as the same multiple. */
const ORIGINS_IN_ALL = 16;

/** Too many requests already wait for a connection. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too many requests are waiting for a connection');
    this.name = 'TooManyWaiting';
  }
}

export interface ConnectionSlots {
  /**
   * Waits until a connection to `origin` is allowed; returns the function that releases it. Each `group` has a limit of
   * its own.
   * @throws TooManyWaiting; the reason of `signal` when it aborts first.
   */
  take(origin: string, group: number | undefined, signal: AbortSignal): Promise<() => void>;
}

/** The counters that a connection is counted in. */
type Seat = readonly string[];

interface Waiting {
  seat: Seat;
  go(): void;
}

/**
 * Allows each group at most `perOrigin` connections to one origin, and four times as many in all; all groups together
 * have sixteen times as many: slow targets of one group do not take the connections of another.
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
