import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { messageOf } from '../../../platform/errors.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import type { Logger } from '../../../platform/logger.js';

/** A slot to wait for one run's response, or why none was granted. */
export type SlotRequest =
  | { kind: 'granted'; release(): Promise<void> }
  /** The tenant has reached its limit of open waits. */
  | { kind: 'limit' }
  /** Redis is unreachable. */
  | { kind: 'unavailable' };

/** Counts the waiting webhook requests of each tenant across all web processes (spec §4.7). */
export interface ResponseSlots {
  /** Never throws. `guid` is the run's. */
  acquire(tenantId: number, guid: string): Promise<SlotRequest>;
}

export interface ResponseSlotsOptions {
  redis: Pick<RedisClient, 'eval' | 'zrem'>;
  prefix: string;
  limits: { ordinary: number; dedicated: number };
  /** Runs for every request, so it must be cached. */
  isDedicated(tenantId: number): Promise<boolean>;
  /** After this time a slot that was not released counts as free: its process has died. */
  leaseMs: number;
  logger: Logger;
  commandTimeoutMs?: number;
}

const COMMAND_TIMEOUT_MS = 1000;

/** A sorted set of leases by expiry, on the clock of Redis: drop the expired, count, add (rule 15). */
const ACQUIRE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;

/** Creates the counter; its keys are `<prefix>:response-slots:<tenant>`. */
export function createResponseSlots(options: ResponseSlotsOptions): ResponseSlots {
  const { redis, limits, logger } = options;
  const timeoutMs = options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;

  const limitOf = async (tenantId: number): Promise<number> => {
    const dedicated = await options.isDedicated(tenantId).catch((error: unknown) => {
      logger.warn('could not load a tenant; using the standard limit', {
        tenant_id: tenantId,
        error: messageOf(error),
      });
      return false;
    });
    return dedicated ? limits.dedicated : limits.ordinary;
  };

  const release = async (key: string, guid: string): Promise<void> => {
    await withTimeout(redis.zrem(key, guid), timeoutMs).catch((error: unknown) => {
      // The lease expires anyway.
      logger.warn('could not release a response slot', { story_run_guid: guid, error: messageOf(error) });
    });
  };

  return {
    async acquire(tenantId, guid) {
      const key = `${options.prefix}:response-slots:${tenantId}`;
      const limit = await limitOf(tenantId);
      try {
        // After a timeout the result is unknown, not failed: a lease that was still granted expires.
        const granted = await withTimeout(
          redis.eval(ACQUIRE, 1, key, limit, options.leaseMs, guid),
          timeoutMs,
        );
        return granted === 1 ? { kind: 'granted', release: () => release(key, guid) } : { kind: 'limit' };
      } catch (error) {
        logger.warn('response slots unavailable', { story_run_guid: guid, error: messageOf(error) });
        return { kind: 'unavailable' };
      }
    },
  };
}
