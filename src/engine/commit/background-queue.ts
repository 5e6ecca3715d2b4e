import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';

/** Keys beyond this are left to whoever sweeps up. */
const MAX_WAITING = 100_000;

/** Work that follows a COMMIT: what it misses, a sweeper finds. */
export interface BackgroundQueue<Key> {
  /** Has these looked at soon. */
  add(keys: Iterable<Key>): void;
  /** Resolves when nothing is waiting or under way. */
  drain(): Promise<void>;
}

/** Looks at keys in rounds, each key once a round; one round at a time. A failure is logged, its keys are dropped. */
export function createBackgroundQueue<Key>(options: {
  /** For the log. */
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
