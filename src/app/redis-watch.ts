import { refusedCommands } from '../operate/face.js';
import type { Logger } from '../platform/logger.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import { loopUntil } from '../platform/runtime/background-loop.js';

const EVERY_MS = 60_000;

export interface RedisWatchDeps {
  redis: RedisClient;
  prefix: string;
  /** Looks at the policy of eviction, and logs when it changes. */
  spoolTrouble: () => Promise<string | undefined>;
  logger: Logger;
  everyMs?: number;
}

/**
 * Checks at the start and then every minute whether the user of Redis may run what queues need, and whether Redis may evict
 * the spool. Logs each fault once, and again when it ends.
 */
export function createRedisWatch({
  redis,
  prefix,
  spoolTrouble,
  logger,
  everyMs = EVERY_MS,
}: RedisWatchDeps) {
  let before = '';
  const pass = async (): Promise<number> => {
    // An outage is logged by the connection itself.
    if (redis.status !== 'ready') return everyMs;
    await spoolTrouble();
    const refused = (await refusedCommands(redis, prefix)).join('; ');
    if (refused !== before && refused === '') logger.info('Redis now allows all commands that queues need');
    if (refused !== before && refused !== '') {
      logger.warn('Redis denies commands that queues need: processing is stopped until its ACL allows them', {
        refused,
        remedy: 'see docs/operate/redis.md, and run `fabula doctor`',
      });
    }
    before = refused;
    return everyMs;
  };
  return {
    /** Repeats the check until the signal aborts. */
    run: (signal: AbortSignal) =>
      loopUntil(signal, { pass, restAfterErrorMs: everyMs, failure: 'could not check Redis', logger }),
  };
}
