import { type Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../logger.js';
import { messageOf } from '../errors.js';
import { type RedisAddress, readRedisAddress, type SentinelAddress } from '../addresses/redis-address.js';
import { createCluster, followNodes } from './cluster.js';
import { joinWrites } from './join-writes.js';
import { isCluster, type RedisClient } from './redis-client.js';
import { reconnectDelayMs } from './retry-delay.js';
import { tlsOptions } from './tls-options.js';

/** Time in which a sentinel must reply; then the next one is asked. */
const SENTINEL_TIMEOUT_MS = 1_000;

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
 * `worker`: waits for Redis without limit, as BullMQ requires; its duplicates are for blocking commands.
 * `subscriber`: waits too; the listener subscribes again (`listenToChannel`).
 */
export type RedisUse = 'producer' | 'worker' | 'subscriber';

/**
 * Time without input after which a connection with pending commands is closed: a half-open one would hang as long as TCP
 * retransmits, a quarter of an hour.
 */
const SOCKET_TIMEOUT_MS = { producer: 5_000, worker: 15_000, subscriber: 5_000 };
/** The longest time for which a worker waits for a job with one blocking command. */
export const LONGEST_WAIT_MS = 60_000;
/** BullMQ ends a wait that takes a second too long by itself. */
const WAIT_SLACK_MS = 10_000;

type ServerOptions = Omit<RedisOptions, 'replyMapping'>;

const USES: Record<RedisUse, ServerOptions> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  worker: { maxRetriesPerRequest: null },
  // `listenToChannel` subscribes again; if the driver did too, nothing could catch its error at a shutdown.
  subscriber: { maxRetriesPerRequest: null, autoResubscribe: false },
};

/**
 * Creates a connection for one use: to the one Redis, to the master that sentinels name, or to a cluster. Losing it is
 * logged once, and so is its return; it reconnects by itself.
 */
export function createRedis(target: RedisTarget, use: RedisUse, logger: Logger): RedisClient {
  const address = readRedisAddress(target.redisUrl, {
    ca: target.redisTlsCa,
    rejectUnauthorized: target.redisTlsRejectUnauthorized,
  });
  const redis = connect(address, serverOptions(address, target, use), use);
  if (isCluster(redis)) followNodes(redis, { use, logger });
  else joinWrites(redis);
  if (use === 'worker') letDuplicatesWait(redis, LONGEST_WAIT_MS + WAIT_SLACK_MS);
  logOutages(redis, { use, logger });
  return redis;
}

function connect(address: RedisAddress, server: ServerOptions, use: RedisUse): RedisClient {
  if (address.topology === 'lone') return new Redis(address.url, server);
  if (address.topology === 'sentinel') return new Redis({ ...server, ...sentinelOptions(address) });
  return createCluster(address, server, { queueWhileAway: use !== 'producer' });
}

/** Returns the options of each connection to a server. */
function serverOptions({ tls, family }: RedisAddress, target: RedisTarget, use: RedisUse): ServerOptions {
  return {
    ...USES[use],
    socketTimeout: SOCKET_TIMEOUT_MS[use],
    connectTimeout: 5_000,
    ...(target.connectionName !== undefined && { connectionName: target.connectionName }),
    keepAlive: 10_000,
    retryStrategy: reconnectDelayMs,
    // A producer's command is refused, so that it does not wait; others are sent again to the new master.
    reconnectOnError: (error) => isDemoted(error) && (use === 'producer' ? 1 : 2),
    ...(family !== undefined && { family }),
    ...(tls !== undefined && { tls: tlsOptions(tls) }),
  };
}

/** Returns true if a server refuses to write because it is a replica now: a new connection finds the new master. */
function isDemoted({ message }: Error): boolean {
  return message.startsWith('READONLY') || message.includes('-READONLY');
}

function logOutages(redis: RedisClient, { use, logger }: { use: RedisUse; logger: Logger }): void {
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) logger.warn('redis is out of reach', { use, error: messageOf(error) });
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('redis is back', { use });
    down = false;
  });
}

/**
 * Resolves when the state of a new connection is known: it is ready, the first attempt has failed, or `limitMs` have
 * passed. A connection used earlier fails as if Redis were down.
 */
export function waitUntilRedisReady(redis: RedisClient, limitMs: number): Promise<void> {
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

/**
 * Returns the options by which a connection asks sentinels for the master. It leaves a master that was replaced as soon as a
 * sentinel tells of that.
 */
function sentinelOptions(address: SentinelAddress): Omit<RedisOptions, 'replyMapping'> {
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

/**
 * Lets the duplicates of a connection be silent for longer than the connection itself: BullMQ waits for jobs on them, while all
 * queues share the connection.
 */
function letDuplicatesWait(redis: RedisClient, socketTimeoutMs: number): void {
  if (isCluster(redis)) {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (nodes, options) => {
      const made = duplicate(nodes, {
        ...options,
        redisOptions: { ...options?.redisOptions, socketTimeout: socketTimeoutMs },
      });
      settleWhenReady(made);
      return made;
    };
  } else {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => duplicate({ ...options, socketTimeout: socketTimeoutMs });
  }
}

/**
 * Lets `connect` end when the cluster is ready. If a first attempt fails, the driver connects again by itself, and the promise of
 * the first stays open for ever: after the loss of a master BullMQ would wait for it, and its worker would take no more jobs.
 */
export function settleWhenReady(cluster: Pick<Cluster, 'connect' | 'once' | 'off'>): void {
  const connect = cluster.connect.bind(cluster);
  cluster.connect = () =>
    new Promise((resolve, reject) => {
      cluster.once('ready', resolve);
      void connect()
        .then(resolve, reject)
        .finally(() => cluster.off('ready', resolve));
    });
}
