import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.js';
import { addressKey } from '../address/address-key.js';

const MINUTE_MS = 60_000;
/** Most addresses remembered; the least recently used ones are forgotten first. */
const MAX_ADDRESSES = 20_000;
/** Statuses sent to unknown clients: no key or a wrong one, a wrong secret, an unknown path. */
const OF_STRANGERS = new Set([401, 404]);

/** 429: too many requests from this address were refused. Requests with a correct key or secret are still accepted. */
class TooManyRefused extends AppError {
  constructor(perMinute: number) {
    super(429, `More than ${perMinute} requests from this address were rejected within a minute`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** Counts refused requests by address, so that guessing is cheap to refuse. Per process; uses no store. */
export interface RefusedCalls {
  /**
   * Records a refusal; returns the error to send: `error`, or 429 if the address had too many. Errors other than 401 and 404
   * are counted and returned unchanged.
   */
  judge(address: string | undefined, error: AppError): AppError;
  /** Returns true if the address had too many: then only keys and secrets known to be correct are accepted. */
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

/** Creates a leaky bucket per address, which empties evenly within a minute. */
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
