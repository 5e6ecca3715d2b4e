import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.js';
import { addressKey } from './address-key.js';

const MINUTE_MS = 60_000;
/** Addresses that are remembered: those that were refused longest ago are forgotten first. */
const MAX_ADDRESSES = 20_000;
/** Refusals of who is not known: no key or a wrong one, a wrong secret, an address that leads nowhere. */
const OF_STRANGERS = new Set([401, 404]);

/** 429: too many calls of this address were refused. Calls that show the right key or secret go on. */
export class TooManyRefused extends AppError {
  constructor(perMinute: number) {
    super(429, `More than ${perMinute} calls of this address were refused within a minute`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** Counts by address what was refused, so that guessing costs us nothing. In each process by itself; asks no store. */
export interface RefusedCalls {
  /**
   * Notes a refusal, and gives the error to answer: this one, or 429 where the address had too many. Errors that do not
   * tell a stranger are counted and stay what they are.
   */
  judge(address: string | undefined, error: AppError): AppError;
  /** Whether the address had too many: only what is known to be right is looked up for it. */
  isOver(address: string | undefined): boolean;
}

interface Bucket {
  level: number;
  at: number;
}

export interface RefusedCallsOptions {
  /** 0 = no limit. */
  perMinute: number;
  now?: () => number;
}

/** A bucket for each address, which empties evenly in a minute. */
export function createRefusedCalls({
  perMinute,
  now = () => performance.now(),
}: RefusedCallsOptions): RefusedCalls {
  if (perMinute === 0) return { judge: (_address, error) => error, isOver: () => false };
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });

  const levelOf = (key: string): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return 0;
    return Math.max(0, bucket.level - ((now() - bucket.at) * perMinute) / MINUTE_MS);
  };

  return {
    judge(address, error) {
      const key = addressKey(address);
      const level = levelOf(key);
      const isOver = level > perMinute - 1;
      if (!isOver) buckets.set(key, { level: level + 1, at: now() });
      return isOver && OF_STRANGERS.has(error.status) ? new TooManyRefused(perMinute) : error;
    },
    isOver: (address) => levelOf(addressKey(address)) > perMinute - 1,
  };
}

/** Counts nothing. */
export const NO_REFUSED_CALLS: RefusedCalls = createRefusedCalls({ perMinute: 0 });
