import { createRelayWatch } from '../../src/engine/recovery/relay.js';
import { createRedisLossDetector } from '../../src/engine/recovery/redis-loss-detector.js';
import { createSpoolQuota } from '../../src/engine/accept/spool-quota.js';
import { createOutageSpool } from '../../src/engine/accept/outage-spool.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { createQueues } from '../../src/engine/dispatch/queues.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { createRedisWatch } from '../../src/app/redis-watch.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { type PrivateStores, startPrivateStores } from '../support/private-stores.js';
import { recordingLogger } from '../support/recording-logger.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { NO_REPLICAS } from '../support/no-replicas.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
const MIB = 1024 * 1024;
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', fatal: true });

let own: PrivateStores;
let used = 0;
beforeAll(async () => {
  own = await startPrivateStores(stores, { redis: true });
});
afterEach(async () => {
  await own.redis.config('SET', 'maxmemory', '0');
  await own.redis.config('SET', 'maxmemory-policy', 'noeviction');
});

/** A process that has lost MySQL, with a spool of its own; `as`: the address of its Redis. */
async function processOf(as: { redisUrl: string } = own, policy?: 'noeviction') {
  used += 1;
  const recording = recordingLogger();
  const redis = createRedis({ ...as, redisTlsRejectUnauthorized: true }, 'producer', recording.logger);
  await eventually(() => redis.status === 'ready');
  const queues = createQueues({ redis, prefix: `${own.queuePrefix}-${used}`, logger: recording.logger });
  const queue = queueNamed(queues, SPOOL_QUEUE);
  const room = createSpoolQuota({ redis, queue, maxBytes: 10 * MIB, policy, logger: recording.logger });
  const starter = createOutageSpool({
    writer: { start: () => Promise.reject(away) },
    queue,
    room,
    copies: NO_REPLICAS,
    logger: recording.logger,
  });
  stores.onClose(async () => {
    await room.close();
    redis.disconnect();
  });
  let sent = 0;
  const send = async (): Promise<string> => {
    sent += 1;
    const run = { story: { id: 1 }, agent: { id: 2 }, payload: 'x', source: 'webhook', guid: `g${sent}` };
    return starter.start(run as unknown as RunStart).then(
      () => 'taken',
      (error: { status?: number }) => String(error.status),
    );
  };
  const said = (level: string, text: RegExp) =>
    recording.lines().filter((line) => line['level'] === level && text.test(String(line['message'])));
  return { redis, queue, room, send, said };
}

/** A user of Redis that may not give these commands. */
async function userWithout(...commands: string[]): Promise<{ redisUrl: string }> {
  const name = `limited${commands.join('')}`.replaceAll(/[^a-z]/g, '');
  const rights = ['reset', 'on', '>geheim', '~*', '&*', '+@all', ...commands.map((command) => `-${command}`)];
  await own.redis.acl('SETUSER', name, ...rights);
  const url = new URL(own.redisUrl);
  url.username = name;
  url.password = 'geheim';
  return { redisUrl: url.href };
}

describe('store fault c, a Redis that evicts', () => {
  test.each(['allkeys-lru', 'allkeys-lfu', 'allkeys-random'])(
    'is given no event to keep, and the log says why, once: %s',
    async (policy) => {
      await own.redis.config('SET', 'maxmemory', String(64 * MIB));
      await own.redis.config('SET', 'maxmemory-policy', policy);
      const { send, queue, said, room } = await processOf();
      expect([await send(), await send(), await send()]).toEqual(['503', '503', '503']);
      expect(await queue.getJobCountByTypes('wait', 'active', 'delayed')).toBe(0);
      expect(said('error', /evicts/)).toHaveLength(1);
      expect(said('warn', /rejected.*evicts/)).toHaveLength(3);
      expect(await room.trouble()).toMatch('maxmemory-policy');
    },
  );

  test.each([
    ['noeviction', 64 * MIB],
    ['volatile-lru', 64 * MIB],
    ['allkeys-lru', 0],
  ])('is none with %s and a maxmemory of %i: the spool has no keys that expire', async (policy, bytes) => {
    await own.redis.config('SET', 'maxmemory', String(bytes));
    await own.redis.config('SET', 'maxmemory-policy', policy);
    const { send, room } = await processOf();
    expect(await send()).toBe('taken');
    expect(await room.trouble()).toBeUndefined();
  });

  test('is noticed when it begins to, and when it ends', async () => {
    const { send, said } = await processOf();
    expect(await send()).toBe('taken');
    await own.redis.config('SET', 'maxmemory', String(64 * MIB));
    await own.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await eventually(async () => (await send()) === '503', 20_000);
    await own.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await eventually(async () => (await send()) === 'taken', 20_000);
    expect([said('error', /evicts/).length, said('info', /does not evict/).length]).toEqual([1, 1]);
  });

  test('keeps what volatile policies may not take, when its memory is full', async () => {
    const { send, queue } = await processOf();
    const taken = await Promise.all(Array.from({ length: 50 }, send));
    expect(new Set(taken)).toEqual(new Set(['taken']));
    await own.redis.config('SET', 'maxmemory-policy', 'volatile-random');
    const [, bytes] = /^used_memory:(\d+)/m.exec(await own.redis.info('memory'))!;
    await own.redis.config('SET', 'maxmemory', bytes!);
    const more = await own.redis.set('more', 'x'.repeat(MIB)).catch((error: Error) => error.message);
    expect(more).toMatch('OOM');
    expect(await queue.getJobCountByTypes('wait')).toBe(50);
  });

  test('is said by /readyz', async () => {
    const fabula = await startFabula(own);
    const ready = async () =>
      (await fetch(`${fabula.url}/readyz`)).json() as Promise<{ warnings?: object[] }>;
    await eventually(async () => (await fetch(`${fabula.url}/readyz`)).status === 200);
    expect(await ready()).toEqual({ status: 'ok' });
    await own.redis.config('SET', 'maxmemory', String(64 * MIB));
    await own.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await eventually(async () => (await ready()).warnings?.length === 1, 20_000);
    expect(await ready()).toMatchObject({
      status: 'ok',
      warnings: [{ message: expect.stringContaining('maxmemory-policy') }],
    });
  });
});

describe('store fault c, a user of Redis without INFO', () => {
  test('is asked by CONFIG; without that too nothing is spooled, and the log says which right is missing', async () => {
    const byConfig = await processOf(await userWithout('info'));
    expect(await byConfig.send()).toBe('taken');
    const blind = await processOf(await userWithout('info', 'config'));
    expect(await blind.send()).toBe('503');
    expect(blind.said('error', /user to run INFO/)).toHaveLength(1);
  });

  test('does not stop the relay: that Redis was emptied is noticed by the key alone', async () => {
    const { redis, said } = await processOf(await userWithout('info'));
    const { logger, lines } = recordingLogger();
    const sentinel = createRedisLossDetector({
      redis,
      prefix: 'without-info',
      queues: { known: () => Promise.reject(new Error('This is no cluster')) },
      epoch: () => Promise.resolve('e'),
      logger,
    });
    expect(await sentinel.redisWasLost()).toBe(true);
    await sentinel.setUp(await sentinel.beginWalk());
    expect([await sentinel.redisWasLost(), await sentinel.redisWasLost()]).toEqual([false, false]);
    await own.redis.del('without-info:sentinel:e');
    expect(await sentinel.redisWasLost()).toBe(true);
    expect(lines().filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(said('error', /./)).toEqual([]);
  });

  test('is told that the policy is unknown, unless the operator vouches for it', async () => {
    const vouched = await processOf(await userWithout('info', 'config'), 'noeviction');
    expect(await vouched.send()).toBe('taken');
    expect(await vouched.room.trouble()).toBeUndefined();
    await own.redis.config('SET', 'maxmemory', String(64 * MIB));
    await own.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const reported = await processOf(own, 'noeviction');
    expect(await reported.send()).toBe('503');
  });

  test('runs stories from end to end, also what Redis has lost', async () => {
    const env = { REDIS_URL: (await userWithout('info', 'config')).redisUrl };
    const fabula = await startFabula(own, { env });
    const { webhooks } = await fabula.importStory({
      schema_version: 3,
      name: 'Without INFO',
      guid: 'c'.repeat(32),
      agents: [
        agent(
          'Agents::WebhookAgent',
          '1',
          { path: 'noinfo', secret: 's3cret', verbs: 'post' },
          { name: 'Receive' },
        ),
        agent(
          'Agents::EventTransformationAgent',
          '2',
          { mode: 'message_only', payload: { a: 1 } },
          { name: 'Say' },
        ),
      ],
      links: [{ source: 0, receiver: 1 }],
    });
    expect((await fabula.fire(webhooks['Receive']!)).status).toBe(201);
    await eventually(async () => (await fabula.events()).length === 2, 20_000);
    await own.redis.flushall();
    expect((await fabula.fire(webhooks['Receive']!)).status).toBe(201);
    await eventually(async () => (await fabula.events()).length === 4, 40_000);
  });
});

test('commands that Redis refuses are logged once, and so is that it allows them again', async () => {
  const { redis, said } = await processOf(await userWithout('publish'));
  const { logger, lines } = recordingLogger();
  const stopping = new AbortController();
  const watch = createRedisWatch({
    redis,
    prefix: own.queuePrefix,
    spoolTrouble: () => Promise.resolve(undefined),
    logger,
    everyMs: 20,
  });
  const running = watch.run(stopping.signal);
  const told = (level: string) => lines().filter((line) => line['level'] === level);
  await eventually(() => told('warn').length > 0);
  expect(told('warn')).toMatchObject([{ refused: expect.stringMatching(/^PUBLISH/) }]);
  await own.redis.acl('SETUSER', 'limitedpublish', '+publish');
  await eventually(() => told('info').length > 0);
  stopping.abort();
  await running;
  expect([told('warn').length, told('info').length, said('error', /./).length]).toEqual([1, 1, 0]);
});

const fail = async (error: Error, { rounds = 40, answers = true, stuckAfterMs = 0 } = {}) => {
  const stuck: unknown[] = [];
  const watch = createRelayWatch({
    redisAnswers: async () => answers,
    onStuck: (last) => stuck.push(last),
    stuckAfterMs,
  });
  for (let round = 0; round < rounds; round++) await watch.failed(error);
  return stuck;
};

describe('store fault c, a relay that fails for long', () => {
  const denied = Object.assign(new Error('NOPERM this user has no permissions'), { name: 'ReplyError' });
  const full = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
  const timedOut = new Error('Command timed out');
  test('makes its worker unhealthy, once', async () => {
    expect(await fail(denied)).toEqual([denied]);
    expect(await fail(timedOut)).toEqual([timedOut]);
    expect(await fail(new TypeError('a fault of ours'))).toHaveLength(1);
  });

  test('waits while a store is away, or says that it does not serve now', async () => {
    expect(await fail(away)).toEqual([]);
    expect(await fail(timedOut, { answers: false })).toEqual([]);
    expect(await fail(full)).toEqual([]);
  });

  test('is not one of a few rounds, nor of a short time', async () => {
    expect(await fail(denied, { rounds: 5 })).toEqual([]);
    expect(await fail(denied, { stuckAfterMs: 3_600_000 })).toEqual([]);
  });
});
