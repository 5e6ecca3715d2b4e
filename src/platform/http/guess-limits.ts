import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { addressKey } from './address-key.js';
import { AppError } from '../errors.js';

export interface GuessLimitOptions {
  /** Wrong passwords from one address within the window before further attempts are queued. */
  free: number;
  windowMs: number;
  /** Pause between two queued attempts. */
  paceMs: number;
  /** Maximum number of queued attempts for one address; more are refused without a check. */
  maxWaiting: number;
}

const DEFAULTS: GuessLimitOptions = { free: 10, windowMs: 60_000, paceMs: 100, maxWaiting: 100 };
const MAX_ADDRESSES = 10_000;

interface Guesser {
  wrong: number;
  waiting: number;
  lastTurn: Promise<unknown>;
}

export type GuessLimits = ReturnType<typeof createGuessLimits>;

/**
 * Slows down password guessing without a lockout: after any number of wrong passwords from an address, the right one is
 * accepted, if need be after a wait. An IPv6 /64 counts as one address, because one connection has that many.
 */
export function createGuessLimits(options: Partial<GuessLimitOptions> = {}) {
  const { free, windowMs, paceMs, maxWaiting } = { ...DEFAULTS, ...options };
  const guessers = new LRUCache<string, Guesser>({ max: MAX_ADDRESSES, ttl: windowMs });

  const waitForTurn = async (guesser: Guesser): Promise<void> => {
    if (guesser.waiting >= maxWaiting) throw tooMany(1);
    guesser.waiting += 1;
    const turn = guesser.lastTurn.then(() => sleep(paceMs, undefined, { ref: false }));
    guesser.lastTurn = turn;
    await turn;
    guesser.waiting -= 1;
  };

  /** Counts an attempt as wrong before it is checked, so that attempts at once do not all pass for free. */
  const noteWrong = (key: string): Guesser => {
    const known = guessers.get(key);
    if (known === undefined) guessers.set(key, { wrong: 1, waiting: 0, lastTurn: Promise.resolve() });
    else known.wrong += 1;
    return guessers.get(key) as Guesser;
  };

  return {
    /**
     * Returns true if the password from `address`, or for an account, is right. @throws AppError 429 for a wrong one after
     * too many wrong ones, and for any if too many attempts are queued.
     */
    async check(address: string | undefined, isRight: () => boolean | Promise<boolean>): Promise<boolean> {
      const key = addressKey(address);
      const before = guessers.get(key);
      const limited = before !== undefined && before.wrong >= free;
      if (limited) await waitForTurn(before);
      const guesser = noteWrong(key);
      if (await isRight()) {
        guesser.wrong -= 1;
        return true;
      }
      if (limited) throw tooMany(Math.max(1, Math.ceil(guessers.getRemainingTTL(key) / 1000)));
      return false;
    },
  };
}

function tooMany(seconds: number): AppError {
  return new AppError(429, 'Too many wrong passwords', { headers: { 'Retry-After': String(seconds) } });
}
