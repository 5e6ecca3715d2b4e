import type { Actor } from '../../api/face.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { withTimeout } from '../../platform/runtime/timeout.js';

/** Redis responds within a millisecond; no list waits longer for it. */
const COMMAND_TIMEOUT_MS = 250;
const MOST_KEPT = 10_000;

export interface RecentWritersOptions {
  redis: Pick<RedisClient, 'set' | 'exists'>;
  prefix: string;
  /** How long a write counts as recent. */
  windowMs: number;
  logger: Logger;
}

/** Knows which users have written lately: this process by itself, others through Redis. */
export type RecentWriters = ReturnType<typeof createRecentWriters>;

/** Remembers writers for `windowMs`; at most 10,000 of them in this process. */
export function createRecentWriters({ redis, prefix, windowMs, logger }: RecentWritersOptions) {
  const wroteAt = new Map<number, number>();
  const keyOf = ({ userId }: Actor) => `${prefix}:wrote:${userId}`;
  const told = (error: unknown) =>
    logger.debug('could not share recent writers', { error: messageOf(error) });
  return {
    /** Resolves when other processes know it too, or Redis has failed; never rejects. */
    async note(actor: Actor): Promise<void> {
      wroteAt.delete(actor.userId);
      wroteAt.set(actor.userId, performance.now());
      if (wroteAt.size > MOST_KEPT) wroteAt.delete(wroteAt.keys().next().value ?? 0);
      await withTimeout(redis.set(keyOf(actor), '1', 'PX', windowMs), COMMAND_TIMEOUT_MS).catch(told);
    },
    /** Resolves with true also if Redis fails; never rejects. */
    async hasWritten(actor: Actor): Promise<boolean> {
      const at = wroteAt.get(actor.userId);
      if (at !== undefined && performance.now() - at < windowMs) return true;
      return withTimeout(redis.exists(keyOf(actor)), COMMAND_TIMEOUT_MS).then(
        (count) => count > 0,
        (error: unknown) => {
          told(error);
          return true;
        },
      );
    },
  };
}
