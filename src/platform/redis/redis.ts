import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../logger.js';
import { messageOf } from '../errors.js';
import { readRedisAddress } from '../text/redis-address.js';
import type { TlsSettings } from '../text/tls-settings.js';
import { joinWrites } from './join-writes.js';

/** Timeout of one command of a producer: the relay finds jobs that were not added (rule 7). */
const COMMAND_TIMEOUT_MS = 1_000;

export interface RedisTarget {
  redisUrl: string;
  redisTlsRejectUnauthorized: boolean;
  /** A certificate in PEM, or the path of a file that holds it. */
  redisTlsCa?: string | undefined;
  /** The name under which Redis lists the connection; it has no spaces. Default: none. */
  connectionName?: string;
}

/**
 * `producer`: fails at once while Redis is unreachable, for requests and for adding jobs.
 * `worker`: waits for Redis without limit, as BullMQ's blocking commands require.
 * `subscriber`: waits too; the listener subscribes again (`listenToChannel`).
 */
export type RedisUse = 'producer' | 'worker' | 'subscriber';

/**
 * Time without input after which a connection with pending commands is closed: a half-open one would hang as long as TCP
 * retransmits, a quarter of an hour. BullMQ's blocking commands last 10 s at most.
 */
const SOCKET_TIMEOUT_MS = { producer: 5_000, worker: 15_000, subscriber: 5_000 };

const USES: Record<RedisUse, Omit<RedisOptions, 'replyMapping'>> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  worker: { maxRetriesPerRequest: null },
  // `listenToChannel` subscribes again; if the driver did too, nothing could catch its error at a shutdown.
  subscriber: { maxRetriesPerRequest: null, autoResubscribe: false },
};

/** Creates a connection for one use. Losing it is logged once, and so is its return; it reconnects by itself. */
export function createRedis(target: RedisTarget, use: RedisUse, logger: Logger): Redis {
  const { url, tls, family } = readRedisAddress(target.redisUrl, {
    ca: target.redisTlsCa,
    rejectUnauthorized: target.redisTlsRejectUnauthorized,
  });
  const redis = new Redis(url, {
    ...USES[use],
    socketTimeout: SOCKET_TIMEOUT_MS[use],
    connectTimeout: 5_000,
    ...(target.connectionName !== undefined && { connectionName: target.connectionName }),
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2_000),
    ...(family !== undefined && { family }),
    ...(tls !== undefined && { tls: tlsOptions(tls) }),
  });
  joinWrites(redis);
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) logger.warn('redis is out of reach', { use, error: messageOf(error) });
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('redis is back', { use });
    down = false;
  });
  return redis;
}

function tlsOptions({ verifyIdentity, ...settings }: TlsSettings): RedisOptions['tls'] {
  return verifyIdentity ? settings : { ...settings, checkServerIdentity: () => undefined };
}

/**
 * Resolves when the state of a new connection is known: it is ready, the first attempt has failed, or `limitMs` have
 * passed. A connection used earlier fails as if Redis were down.
 */
export function heardOf(redis: Redis, limitMs: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve) => {
    const heard = () => {
      clearTimeout(timer);
      redis.off('ready', heard).off('error', heard);
      resolve();
    };
    const timer = setTimeout(heard, limitMs);
    redis.on('ready', heard).on('error', heard);
  });
}
