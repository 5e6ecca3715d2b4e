import { createQueues } from '../../src/engine/dispatch/queues.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { listenToChannel } from '../../src/platform/redis/channel-listener.js';
import type { RedisClient } from '../../src/platform/redis/redis-client.js';
import { createRedis, type RedisUse } from '../../src/platform/redis/redis.js';
import { eventually } from '../support/eventually.js';
import { type SentinelsUnderTest, startRedisSentinels } from '../support/redis-sentinels.js';
import { queueNamed } from '../support/queue-named.js';

const PREFIX = 'behind-sentinels';
const FAIL_OVER_LIMIT_MS = 180_000;
jest.setTimeout(600_000);
// A sentinel that stood still for two seconds (TILT) does nothing for half a minute, in the middle of a fail-over too.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
const logger = createSilentLogger();
const opened: RedisClient[] = [];
let set: SentinelsUnderTest;

beforeAll(async () => {
  set = await startRedisSentinels();
});
afterEach(async () => {
  for (const client of opened.splice(0)) client.disconnect();
  for (const server of [...set.servers, ...set.sentinels]) await server.bringBack();
  await eventually(() => set.isWhole(), FAIL_OVER_LIMIT_MS);
});
afterAll(() => set.close());

async function open(use: RedisUse, options = ''): Promise<RedisClient> {
  const target = { redisUrl: set.redisUrl + options, redisTlsRejectUnauthorized: true };
  const client = createRedis(target, use, logger);
  opened.push(client);
  await eventually(() => client.status === 'ready');
  return client;
}

/**
 * Sentinels tell of a new master one after the other, and each time the connection is made anew: a command of a producer may
 * fail then, though one before it was done.
 */
const succeeds = (command: Promise<unknown>) =>
  command.then(
    () => true,
    () => false,
  );
const writes = (client: RedisClient) => succeeds(client.set('written', 'yes'));

test('all uses find the master and its database, though the first sentinel is away', async () => {
  await set.sentinels[0]!.kill();
  const [producer, worker] = [await open('producer', '?db=3'), await open('worker', '?db=3')];
  await producer.set('where', 'here');
  expect(await worker.get('where')).toBe('here');
  const [master] = await set.masters();
  expect(await master!.client.info('keyspace')).toMatch(/db3:keys=1/);
  await set.sentinels[0]!.start();
  await eventually(() => set.isWhole(), FAIL_OVER_LIMIT_MS);
});

test('accounts of Redis and of the sentinels are used', async () => {
  const words = 'redis+sentinel://me:pass%2Fword@';
  for (const { client } of set.servers)
    await client.acl('SETUSER', 'me', 'on', '>pass/word', '~*', '&*', '+@all');
  // The default account stays: sentinels talk to each other by it.
  for (const { client } of set.sentinels)
    await client.acl('SETUSER', 'watch', 'on', '>only watch', '&*', '+@all');
  const redisUrl = `${set.redisUrl.replace('redis+sentinel://', words)}?sentinel_username=watch`;
  const at = (password: string) => ({
    redisUrl: `${redisUrl}&sentinel_password=${encodeURIComponent(password)}`,
    redisTlsRejectUnauthorized: true,
  });
  const right = createRedis(at('only watch'), 'producer', logger);
  const wrong = createRedis(at('wrong'), 'producer', logger);
  opened.push(right, wrong);
  const refused = new Promise<Error>((resolve) => wrong.once('error', resolve));
  await eventually(() => right.status === 'ready');
  expect(await right.acl('WHOAMI')).toBe('me');
  expect((await refused).message).toMatch('WRONGPASS');
  const [sentinel] = set.sentinels;
  await eventually(async () => String(await sentinel!.client.client('LIST')).includes('user=watch'));
});

test.each(['killed', 'frozen'])(
  'every connection follows to the new master when the old one is %s',
  async (how) => {
    const [producer, worker, subscriber] = [
      await open('producer'),
      await open('worker'),
      await open('subscriber'),
    ];
    const messages: string[] = [];
    const listener = listenToChannel({
      redis: subscriber,
      channel: `${PREFIX}:talk`,
      logger,
      onMessage: (message) => messages.push(message),
    });
    const [old] = await set.masters();
    if (how === 'frozen') old!.freeze();
    else await old!.kill();
    await eventually(
      async () => (await set.masters()).some(({ port }) => port !== old!.port),
      FAIL_OVER_LIMIT_MS,
    );
    await eventually(() => writes(producer), FAIL_OVER_LIMIT_MS);
    expect(await writes(worker)).toBe(true);
    const queue = queueNamed(createQueues({ redis: producer, prefix: PREFIX, logger }), 'trigger');
    await eventually(() => succeeds(queue.add('job', {})), FAIL_OVER_LIMIT_MS);
    await eventually(async () => {
      await succeeds(producer.publish(`${PREFIX}:talk`, how));
      return messages.includes(how);
    }, FAIL_OVER_LIMIT_MS);
    await listener.close();
    if (how === 'frozen') old!.thaw();
    else await old!.start();
    await eventually(() => set.isWhole(), FAIL_OVER_LIMIT_MS);
    expect(await writes(producer)).toBe(true);
  },
);

test('a connection to a server that became a replica is made anew, so that it finds the new master', async () => {
  const [master] = await set.masters();
  const replica = set.servers.find(({ port }) => port !== master!.port);
  const redisUrl = `redis://127.0.0.1:${replica!.port}`;
  for (const use of ['producer', 'worker'] as const) {
    const lone = createRedis({ redisUrl, redisTlsRejectUnauthorized: true }, use, logger);
    opened.push(lone);
    await eventually(() => lone.status === 'ready');
    let made = 0;
    lone.on('ready', () => (made += 1));
    const written = writes(lone);
    await eventually(() => made > 0);
    // A worker's command waits for a master that takes it.
    if (use === 'producer') expect(await written).toBe(false);
  }
});
