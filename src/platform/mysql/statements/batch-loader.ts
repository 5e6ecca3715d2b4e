import { setTimeout as sleep } from 'node:timers/promises';
import { delayBatch } from '../commit/batch-delay.js';

/** Most items of one batch: limits the length of a statement. */
const MAX_ROUND = 500;

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

interface BatchOptions {
  /** Most keys of one batch. */
  maxRound?: number;
  /** More than one, if a hanging batch must not delay the keys after it. */
  roundsAtOnce?: number;
  /** Wait for more keys after the first one. Default: until pending input was read. */
  gatherMs?: number;
  /** Longest wait between two batches for more keys, if many small batches cost more than that. Default: none. */
  mostGatherMs?: number;
}

/**
 * Combines single lookups: keys requested while a batch is running form the next one.
 * `load` returns the values found, by key; a missing key resolves with undefined.
 */
export function createBatchLoader<Key, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
  { maxRound = MAX_ROUND, roundsAtOnce = 1, gatherMs = 0, mostGatherMs = 0 }: BatchOptions = {},
) {
  let waiting: Waiting<Key, Value>[] = [];
  let running = 0;

  const round = async () => {
    const batch = waiting.slice(0, maxRound);
    waiting = waiting.slice(maxRound);
    try {
      const found = await load([...new Set(batch.map(({ key }) => key))]);
      for (const waiter of batch) waiter.resolve(found.get(waiter.key));
    } catch (error) {
      for (const waiter of batch) waiter.reject(error);
    }
  };

  const run = async () => {
    await (gatherMs > 0 ? sleep(gatherMs) : new Promise(setImmediate));
    while (waiting.length > 0) {
      const began = performance.now();
      await round();
      const tookMs = performance.now() - began;
      if (mostGatherMs > 0 && waiting.length > 0 && waiting.length < maxRound)
        await delayBatch(tookMs, mostGatherMs);
    }
    running -= 1;
  };

  return (key: Key): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running >= roundsAtOnce) return;
      running += 1;
      void run();
    });
}
