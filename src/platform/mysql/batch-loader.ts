import { delayBatch } from './batch-delay.js';

/** Items of one round: a bound on the length of one statement. */
const MAX_ROUND = 500;

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

interface BatchOptions {
  /** Keys of one round. */
  maxRound?: number;
  /** More than one where a round that hangs must not keep those waiting who came after it. */
  roundsAtOnce?: number;
  /** How long more may come together between two rounds: where many small ones cost more than a short wait. Default: not at all. */
  mostGatherMs?: number;
}

/**
 * Gathers single look-ups into one: what is asked for while rounds are under way makes the next round.
 * `load` gives what it finds, by key; what is not there is undefined.
 */
export function createBatchLoader<Key, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
  { maxRound = MAX_ROUND, roundsAtOnce = 1, mostGatherMs = 0 }: BatchOptions = {},
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
    await new Promise(setImmediate);
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
