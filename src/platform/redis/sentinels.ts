import type { RedisOptions } from 'ioredis';
import type { SentinelAddress } from '../addresses/redis-address.js';
import { reconnectDelayMs } from './retry-delay.js';
import { tlsOptions } from './tls-options.js';

/** Time in which a sentinel must reply; then the next one is asked. */
const SENTINEL_TIMEOUT_MS = 1_000;

/**
 * Returns the options by which a connection asks sentinels for the master. It leaves a master that was replaced as soon as a
 * sentinel tells of that.
 */
export function sentinelOptions(address: SentinelAddress): Omit<RedisOptions, 'replyMapping'> {
  const { nodes, master, database, username, password, sentinel, tls } = address;
  return {
    sentinels: nodes,
    name: master,
    role: 'master',
    db: database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
    ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
    ...(tls !== undefined && { enableTLSForSentinelMode: true }),
    ...(tls !== undefined && sentinel.tls && { sentinelTLS: tlsOptions(tls) }),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: reconnectDelayMs,
    failoverDetector: true,
  };
}
