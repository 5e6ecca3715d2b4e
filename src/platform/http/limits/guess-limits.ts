import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.js';
import { addressKey } from '../address/address-key.js';
import { createGrowingPauses } from './growing-pauses.js';

export interface GuessLimitOptions {
  /** Wrong passwords from one address before further attempts have to wait. */
  free: number;
  /** Time without a wrong password after which an address is forgotten. */
  windowMs: number;
  /** The first pause before an attempt; it grows to `longestPaceMs`. */
  paceMs: number;
  longestPaceMs: number;
  /** Maximum number of waiting attempts of one address; more are refused without a check. */
  maxWaiting: number;
  /** An attempt that waited longer than this for those before it is refused without a check. */
  longestWaitMs: number;
}

const DEFAULTS: GuessLimitOptions = {
  free: 10,
  windowMs: 15 * 60_000,
  paceMs: 100,
  longestPaceMs: 15_000,
  maxWaiting: 100,
  longestWaitMs: 30_000,
};

/** The attempts of one address, which are checked one after the other. */
interface Line {
  waiting: number;
  last: Promise<unknown>;
}

export type GuessLimits = ReturnType<typeof createGuessLimits>;

/**
 * Slows down password guessing without a lockout: after any number of wrong passwords from an address, the right one is
 * accepted, if need be after a wait. An IPv6 /64 counts as one address, because one connection has that many.
 */
export function createGuessLimits(options: Partial<GuessLimitOptions> = {}) {
  const { free, windowMs, paceMs, longestPaceMs, maxWaiting, longestWaitMs } = { ...DEFAULTS, ...options };
  const pauses = createGrowingPauses({
    free,
    firstMs: paceMs,
    longestMs: longestPaceMs,
    forgetMs: windowMs,
  });
  const lines = new Map<string, Line>();

  const tooMany = (key: string) =>
    new AppError(429, 'Too many wrong passwords', {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(pauses.of(key) / 1000))) },
    });

  /** Does `work` after that of all earlier attempts of the address. */
  const inLine = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting >= maxWaiting) throw tooMany(key);
    lines.set(key, line);
    line.waiting += 1;
    const done = line.last.then(work).finally(() => {
      line.waiting -= 1;
      if (line.waiting === 0) lines.delete(key);
    });
    line.last = done.catch(() => undefined);
    return done;
  };

  return {
    /**
     * Returns true if the password from `address`, or of another name, is right. One attempt of an address is checked at a
     * time. @throws AppError 429 for a wrong one after too many wrong ones, and for any if too many attempts are waiting.
     */
    check(address: string | undefined, isRight: () => boolean | Promise<boolean>): Promise<boolean> {
      const key = addressKey(address);
      const arrivedMs = performance.now();
      return inLine(key, async () => {
        const pauseMs = pauses.of(key);
        if (performance.now() - arrivedMs > longestWaitMs) throw tooMany(key);
        if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
        if (await isRight()) return true;
        pauses.add(key);
        if (pauseMs > 0) throw tooMany(key);
        return false;
      });
    },

    /** Counts an attempt that is never right, such as a request for a mail. @throws AppError 429 after too many. */
    count(address: string | undefined): void {
      const key = addressKey(address);
      if (pauses.of(key) > 0) throw tooMany(key);
      pauses.add(key);
    },
  };
}
