import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';

/** Further keys are left to the sweepers. */
const MAX_WAITING = 100_000;

/** Background work after a COMMIT; a sweeper finds what it misses. */
export interface BackgroundQueue<Key> {
  /** Queues these keys for work. */
  add(keys: Iterable<Key>): void;
  /** Resolves when no work is waiting or running. */
  drain(): Promise<void>;
}

/** Works on keys in rounds, each key once per round, one round at a time. A failure is logged and its keys are dropped. */
export function createBackgroundQueue<Key>(options: {
  /** Name in the log. */
  name: string;
  maxRound: number;
  work(keys: Key[]): Promise<void>;
  logger: Logger;
}): BackgroundQueue<Key> {
  const waiting = new Set<Key>();
  let running: Promise<void> | undefined;

  const round = async () => {
    const keys = [...waiting].slice(0, options.maxRound);
    for (const key of keys) waiting.delete(key);
    await options
      .work(keys)
      .catch((error: unknown) =>
        options.logger.warn('left to the sweeper', { work: options.name, error: messageOf(error) }),
      );
  };

  const run = async () => {
    while (waiting.size > 0) await round();
    running = undefined;
  };

  return {
    add(keys) {
      for (const key of keys) if (waiting.size < MAX_WAITING) waiting.add(key);
      if (waiting.size > 0) running ??= run();
    },
    drain: () => running ?? Promise.resolve(),
  };
}
