import type { Redis } from 'ioredis';
import { listenToChannel } from '../../src/platform/redis/channel-listener.js';
import { createRedis, waitUntilRedisReady, type RedisUse } from '../../src/platform/redis/redis.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();
const NEVER_MS = 3_600_000;
let proxy: TcpProxy;
let redis: Redis | undefined;

beforeEach(async () => {
  proxy = await startTcpProxy(stores.redisUrl);
});
afterEach(async () => {
  redis?.disconnect();
  await proxy.close();
});

function connect(use: RedisUse = 'producer'): Redis {
  redis = createRedis({ redisUrl: proxy.url, redisTlsRejectUnauthorized: true }, use, stores.logger) as Redis;
  return redis;
}

describe('a connection to Redis that was made just now', () => {
  it('is heard of when it can be used', async () => {
    proxy.freeze();
    const own = connect();
    await expect(own.ping()).rejects.toThrow();
    let heard = false;
    const hearing = waitUntilRedisReady(own, NEVER_MS).then(() => (heard = true));
    await eventually(() => own.status === 'connect');
    expect(heard).toBe(false);
    proxy.restore();
    await hearing;
    expect(await own.ping()).toBe('PONG');
    await waitUntilRedisReady(own, NEVER_MS);
  });

  it('is heard of when Redis is away', async () => {
    proxy.cut();
    const own = connect();
    await waitUntilRedisReady(own, NEVER_MS);
    expect(own.status).not.toBe('ready');
  });

  it('is waited for no longer than it may take', async () => {
    proxy.freeze();
    const own = connect();
    await waitUntilRedisReady(own, 20);
    expect(own.status).not.toBe('ready');
  });
});

it('a connection that is closed while it subscribes again leaves no error that nobody catches', async () => {
  const own = connect('subscriber');
  const channel = `${stores.queuePrefix}:again`;
  listenToChannel({ redis: own, channel, logger: stores.logger, onMessage: () => undefined });
  await eventually(async () => ((await stores.redis.pubsub('NUMSUB', channel))[1] as number) > 0);
  const ended = new Promise((resolve) => own.once('end', resolve));
  own.once('ready', () => own.disconnect());
  proxy.drop();
  await ended;
  await new Promise(setImmediate);
});
