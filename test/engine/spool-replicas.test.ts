import { rm } from 'node:fs/promises';
import { createReplicaCopies } from '../../src/engine/accept/replica-copies.js';
import { createOutageSpool } from '../../src/engine/accept/outage-spool.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { OutcomeUnknown } from '../../src/platform/errors.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { eventually } from '../support/eventually.js';
import { makeFastFolder } from '../support/fast-folder.js';
import { freePorts, type RedisServer, startRedisServer } from '../support/redis-server.js';

/** A master, its replica, and the spool of a web process that uses the master while MySQL is down. */
let folder: string;
let master: RedisServer;
let replica: RedisServer;
let redis: ReturnType<typeof createRedis>;

const isLinked = async () =>
  (await master.client.set('linked', '1')) === 'OK' && (await master.client.wait(1, 500)) === 1;

beforeAll(async () => {
  folder = await makeFastFolder('fabula-replica-');
  const [first = 0, second = 0] = await freePorts(2);
  const settings = ['save ""', 'repl-diskless-sync-delay 0', 'repl-timeout 5'];
  master = await startRedisServer({ folder, port: first, settings });
  replica = await startRedisServer({
    folder,
    port: second,
    settings: [...settings, `replicaof 127.0.0.1 ${first}`],
  });
  const redisUrl = `redis://127.0.0.1:${first}`;
  redis = createRedis({ redisUrl, redisTlsRejectUnauthorized: true }, 'producer', createSilentLogger());
  await eventually(() => redis.status === 'ready');
});

afterAll(async () => {
  redis.disconnect();
  await Promise.all([replica.close(), master.close()]);
  await rm(folder, { recursive: true, force: true });
});

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', fatal: true });

/** A spool as a new process has it. */
function newSpool() {
  return createOutageSpool({
    writer: { start: () => Promise.reject(away) },
    queue: { add: async (_name, data) => void (await redis.set('job', data.guid)) as never },
    room: { take: () => Promise.resolve({ taken: true, heldBytes: 1, limitBytes: 2 }) },
    copies: createReplicaCopies(redis),
    logger: createSilentLogger(),
  });
}

const run = (guid: string) =>
  ({ story: { id: 1 }, agent: { id: 2 }, payload: {}, source: 'webhook', guid }) as RunStart;

test('a webhook event is on a replica when its caller hears that it was accepted', async () => {
  await eventually(isLinked);
  const spool = newSpool();
  for (let call = 0; call < 20; call += 1) {
    await spool.start(run(`g${call}`));
    expect(await replica.client.get('job')).toBe(`g${call}`);
  }
});

test('what no replica confirms is unknown, also when the master has given them up', async () => {
  await eventually(isLinked);
  const spool = newSpool();
  await spool.start(run('known'));
  replica.freeze();
  await expect(spool.start(run('silent'))).rejects.toThrow(OutcomeUnknown);
  await eventually(async () => /connected_slaves:0/.test(await master.client.info('replication')));
  await expect(spool.start(run('cut off'))).rejects.toThrow(OutcomeUnknown);

  // To a process that never saw a replica the master is a lone server, as most are.
  await newSpool().start(run('alone'));
  replica.thaw();
  await eventually(isLinked);
  await spool.start(run('linked again'));
});

test('a confirmation over another connection than that of the request counts for nothing', async () => {
  await eventually(isLinked);
  const spool = newSpool();
  await spool.start(run('known'));
  replica.freeze();
  const started = spool.start(run('cut')).then(
    () => 'accepted',
    (error: unknown) => error,
  );
  await eventually(async () => /flags=b.* cmd=wait/.test(String(await master.client.client('LIST'))));
  await master.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  replica.thaw();
  expect(await started).toBeInstanceOf(OutcomeUnknown);
  await eventually(() => redis.status === 'ready');
});

test('a replica that takes over is a lone server until it has replicas of its own', async () => {
  await eventually(isLinked);
  const spool = newSpool();
  await spool.start(run('known'));
  await replica.kill();
  await eventually(async () => /connected_slaves:0/.test(await master.client.info('replication')));
  await expect(spool.start(run('no replica'))).rejects.toThrow(OutcomeUnknown);
  // A server that is promoted begins a new history too.
  await master.client.replicaof('127.0.0.1', '1');
  await master.client.replicaof('NO', 'ONE');
  await eventually(() =>
    spool.start(run('promoted')).then(
      () => true,
      () => false,
    ),
  );
});
