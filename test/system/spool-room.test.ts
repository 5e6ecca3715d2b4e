import { createSpoolQuota, spooledBytes } from '../../src/engine/accept/spool-quota.js';
import { createOutageSpool } from '../../src/engine/accept/outage-spool.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { SPOOL_QUEUE, type SpooledRun } from '../../src/engine/dispatch/jobs.js';
import { createQueues } from '../../src/engine/dispatch/queues.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { startPrivateStores } from '../support/private-stores.js';
import { recordingLogger } from '../support/recording-logger.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { NO_REPLICAS } from '../support/no-replicas.js';
import { queueNamed, queueOf } from '../support/queue-named.js';

const stores = useStores();
const KIB = 1024;
const MIB = 1024 * KIB;
const HALF_MINUTE = 30_000;
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', fatal: true });

let used = 0;
let sent = 0;

/** A spool of its own, with as many processes as wanted before it, all of which have lost MySQL. */
function spoolOf(maxBytes: number | undefined, on: Pick<typeof stores, 'redis'> = stores) {
  used += 1;
  const prefix = `${stores.queuePrefix}-room-${used}`;
  const recording = recordingLogger();
  const process = () => {
    const queues = createQueues({ redis: on.redis, prefix, logger: recording.logger });
    const queue = queueNamed(queues, SPOOL_QUEUE);
    const room = createSpoolQuota({ redis: on.redis, queue, maxBytes, logger: recording.logger });
    const starter = createOutageSpool({
      writer: { start: () => Promise.reject(away) },
      queue,
      room,
      copies: NO_REPLICAS,
      logger: recording.logger,
    });
    return { queue, room, starter };
  };
  return { process, prefix, recording, ...process() };
}

const run = (guid: string, payload: string): RunStart =>
  ({ story: { id: 1 }, agent: { id: 2 }, payload, source: 'webhook', guid }) as unknown as RunStart;

/** How many of these are taken before, and how many refused. */
async function fill(starters: ReturnType<typeof spoolOf>['starter'][], payloads: string[]) {
  const ends = await Promise.allSettled(
    payloads.map((payload, index) => {
      sent += 1;
      return starters[index % starters.length]!.start(run(`g${sent}`, payload));
    }),
  );
  return ends.map((end) => (end.status === 'fulfilled' ? 'taken' : String(end.reason.status)));
}

/** As Redis says. */
async function memoryOf(
  { queue }: Pick<ReturnType<typeof spoolOf>, 'queue'>,
  on: Pick<typeof stores, 'redis'> = stores,
) {
  const ids = await queue.getRanges(['wait', 'active', 'failed'], 0, -1);
  const sizes = await Promise.all(ids.map((id) => on.redis.memory('USAGE', queue.toKey(id), 'SAMPLES', 0)));
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0);
}

describe('what a spooled run takes', () => {
  it.each([
    ['an empty one', ''],
    ['a small one', 'x'.repeat(500)],
    ['what takes several bytes a character', '€'.repeat(100 * KIB)],
    ['what is escaped', '"\\'.repeat(100 * KIB)],
    ['a large one', 'x'.repeat(5 * MIB)],
  ])('is what Redis needs for it, or a little more: %s', async (_what, payload) => {
    const spool = spoolOf(100 * MIB);
    expect(await fill([spool.starter], [payload])).toEqual(['taken']);
    const [job] = await spool.queue.getWaiting();
    const { heldBytes } = await spool.room.take(0);
    const real = await memoryOf(spool);
    expect(heldBytes).toBe(spooledBytes(job!.data as SpooledRun));
    expect(heldBytes).toBeGreaterThan(Buffer.byteLength(payload));
    expect(real).toBeLessThanOrEqual(heldBytes);
    expect(heldBytes).toBeLessThanOrEqual(real + KIB);
  });
});

describe('the bound of the spool', () => {
  it('is kept by any number of processes that fill it together, and what is refused takes no room', async () => {
    const spool = spoolOf(MIB + 4 * KIB);
    const starters = [spool.starter, spool.process().starter, spool.process().starter];
    const ends = await fill(
      starters,
      Array.from({ length: 90 }, () => 'x'.repeat(30 * KIB)),
    );
    const each = spooledBytes({
      guid: 'g1-10',
      storyId: 1,
      agentId: 2,
      source: 'webhook',
      payload: `"${'x'.repeat(30 * KIB)}"`,
    });
    expect(ends.filter((end) => end === 'taken')).toHaveLength(Math.floor(MIB / each));
    expect(new Set(ends)).toEqual(new Set(['taken', '503']));
    const { heldBytes, limitBytes } = await spool.room.take(0);
    expect(heldBytes).toBeLessThanOrEqual(limitBytes);
    expect(await memoryOf(spool)).toBeLessThanOrEqual(limitBytes);
    // There is room for a small one still.
    expect(await fill([spool.starter], ['x'])).toEqual(['taken']);
  });

  it('is said in the log, with how full it is', async () => {
    const spool = spoolOf(64 * KIB);
    expect(await fill([spool.starter], ['x'.repeat(40 * KIB)])).toEqual(['taken']);
    expect(await fill([spool.starter], ['x'.repeat(40 * KIB)])).toEqual(['503']);
    const fields = { held_bytes: expect.any(Number) as number, limit_bytes: 64 * KIB };
    expect(spool.recording.lines()).toMatchObject([
      { level: 'warn', message: expect.stringContaining('spooled'), ...fields },
      { level: 'warn', message: expect.stringContaining('spool is full'), ...fields },
    ]);
  });

  it('counts what is there when nobody has counted, what has failed too', async () => {
    const first = spoolOf(MIB);
    expect(await fill([first.starter], ['x'.repeat(300 * KIB), 'x'.repeat(300 * KIB)])).toEqual([
      'taken',
      'taken',
    ]);
    const { heldBytes } = await first.room.take(0);
    const failed = await stores.redis.rpop(first.queue.toKey('wait'));
    await stores.redis.zadd(first.queue.toKey('failed'), 1, failed!);
    const heldKey = `{${first.prefix}-webhook-events}:webhook-events:held-bytes`;
    expect(Number(await stores.redis.get(heldKey))).toBe(heldBytes);
    await stores.redis.del(heldKey);
    expect(await first.room.take(0)).toEqual({ taken: true, heldBytes, limitBytes: MIB });
    expect(await fill([first.process().starter], ['x'.repeat(600 * KIB)])).toEqual(['503']);
  });

  it('is free again within half a minute when what was in it has gone, however it went', async () => {
    const spool = spoolOf(MIB);
    expect(await fill([spool.starter], ['x'.repeat(800 * KIB)])).toEqual(['taken']);
    expect(await fill([spool.starter], ['x'.repeat(800 * KIB)])).toEqual(['503']);
    const counter = spool.queue.toKey('held-counter');
    expect(await stores.redis.pttl(counter)).toBeGreaterThan(0);
    expect(await stores.redis.pttl(counter)).toBeLessThanOrEqual(HALF_MINUTE);
    await spool.queue.obliterate({ force: true });
    await stores.redis.del(counter);
    expect(await fill([spool.starter], ['x'.repeat(800 * KIB)])).toEqual(['503']);
    await eventually(async () => (await spool.room.take(0)).heldBytes === 0);
    expect(await fill([spool.starter], ['x'.repeat(800 * KIB)])).toEqual(['taken']);
  });

  it('keeps what others add while one counts, and what they have room for and not yet added', async () => {
    const spool = spoolOf(MIB);
    const other = spool.process();
    const job = {
      guid: 'late',
      storyId: 1,
      agentId: 2,
      source: 'webhook',
      payload: 'x'.repeat(60 * KIB),
    } as const;
    const [gone, each] = [spooledBytes({ ...job, payload: 'x'.repeat(500 * KIB) }), spooledBytes(job)];
    await spool.room.take(gone);
    await other.room.take(each);
    await stores.redis.del(spool.queue.toKey('held-counter'));
    expect((await spool.room.take(0)).heldBytes).toBe(gone + each);
    // Now one counts.
    await other.queue.add('run', job, { jobId: 'run-late' });
    expect(await fill([other.starter], [job.payload])).toEqual(['taken']);
    await eventually(async () => (await spool.room.take(0)).heldBytes < gone);
    // Requests that came meanwhile may be in it twice, until the next time.
    expect(Math.round((await spool.room.take(0)).heldBytes / each)).toBe(3);
  });
});

describe('a quarter of the memory that Redis may use', () => {
  const STORY = {
    schema_version: 3,
    name: 'Spooled',
    guid: 'b'.repeat(32),
    agents: [
      agent(
        'Agents::WebhookAgent',
        '1',
        { path: 'spooled', secret: 's3cret', verbs: 'post' },
        { name: 'Receive' },
      ),
    ],
    links: [],
  };

  it('is the bound; beyond it callers are told to come again, and they can when MySQL is back', async () => {
    const own = await startPrivateStores(stores, { redis: true });
    await own.redis.config('SET', 'maxmemory', '40mb');
    const proxy = await startTcpProxy(stores.databaseUrl);
    stores.onClose(() => proxy.close());
    const env = { DATABASE_URL: proxy.url };
    const fabula = await startFabula(own, { queues: [SPOOL_QUEUE], relay: false, env });
    const { webhooks } = await fabula.importStory(STORY);
    const address = webhooks['Receive']!;
    expect((await fabula.fire(address)).status).toBe(201);
    proxy.cut();
    const responses = [];
    for (let n = 0; n < 12; n += 1) responses.push(await fabula.fire(address, { n, text: 'x'.repeat(MIB) }));
    const taken = responses.filter(({ status }) => status === 201).length;
    // Redis gives 1.25 MiB to what is a little more than one.
    expect(taken).toBe(7);
    for (const response of responses.slice(taken)) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const queue = queueOf(fabula, SPOOL_QUEUE, own);
    expect(await memoryOf({ queue }, own)).toBeLessThanOrEqual(10 * MIB);
    proxy.restore();
    await eventually(async () => (await fabula.events()).length === 1 + taken, 30_000);
    // Large jobs are not kept when they are done.
    await eventually(async () => (await queue.getJobCountByTypes('wait', 'active', 'completed')) === 0);
    expect((await fabula.fire(address, { n: 12 })).status).toBe(201);
  });

  it('is of the machine where Redis has no limit of its own', async () => {
    const info = await stores.redis.info('memory');
    const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)![1]);
    const bytes = field('maxmemory') || field('total_system_memory');
    expect(await spoolOf(undefined).room.take(0)).toMatchObject({
      taken: true,
      limitBytes: Math.floor(bytes / 4),
    });
  });
});
