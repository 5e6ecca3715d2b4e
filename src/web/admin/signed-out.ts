import type { RedisClient } from '../../platform/redis/redis-client.js';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { type AdminSession, LONGEST_MS } from './admin-sessions.js';

const MAX_KNOWN = 1_000;

export interface SignedOutDeps {
  redis: Pick<RedisClient, 'set' | 'exists'>;
  prefix: string;
  logger: Pick<Logger, 'warn'>;
}

/** Sessions that were ended by a sign-out before they expired. */
export type SignedOut = ReturnType<typeof createSignedOut>;

/**
 * Stores sign-outs in Redis until the session would have expired. While Redis is unreachable, only the process that
 * handled the sign-out knows it.
 */
export function createSignedOut({ redis, prefix, logger }: SignedOutDeps) {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: LONGEST_MS });
  const keyOf = ({ id }: AdminSession) => `${prefix}:admin-signed-out:${id}`;

  return {
    async note(session: AdminSession): Promise<void> {
      known.set(session.id, true);
      try {
        await redis.set(keyOf(session), '1', 'PX', LONGEST_MS);
      } catch (error) {
        logger.warn('a sign-out could not be shared with other processes', { error: messageOf(error) });
      }
    },

    async has(session: AdminSession): Promise<boolean> {
      if (known.has(session.id)) return true;
      try {
        return (await redis.exists(keyOf(session))) > 0;
      } catch {
        // Without Redis the board shows nothing, but the operator can still sign in and out.
        return false;
      }
    },
  };
}
