import { createDatabase } from '../../src/platform/mysql/database.js';
import { copyDatabase } from '../support/database-copy.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { storyOf } from '../support/stories.js';
import { createEmptyDatabase, type TestStores, useStores, writeOutside } from '../support/stores.js';

/** Runs that are under way when the backup is made, and runs after it. */
const BEFORE = 5;
const AFTER = 12;

const stores = useStores({ ownDatabase: true });
let target: HttpTarget;

beforeAll(async () => {
  target = await startHttpTarget({ rules: { '/call': { body: { ok: true } } } });
  stores.onClose(() => target.close());
});
beforeEach(() => {
  target.requests.length = 0;
});

const story = () =>
  storyOf(
    {
      Receive: ['Webhook', { path: 'restored', secret: 's3cret', verbs: 'post', include_headers: false }],
      Call: [
        'HTTPRequest',
        { url: `${target.url}/call`, method: 'post', payload: { number: '=receive.number' } },
      ],
      After: ['EventTransformation', { mode: 'message_only', payload: { number: '=receive.number' } }],
    },
    ['Receive > Call > After'],
    { name: 'Restored' },
  );

/** A Fabula of the first life, with runs that no worker has begun to work on. */
async function firstLife() {
  const web = await startFabulaHere(stores, { queues: [], relay: false });
  const { webhooks } = await web.importStory(story());
  const address = webhooks['Receive']!;
  // As in every database whose workers have run an action: its marks are its own.
  await web.web.core.idempotencyKeys();
  await fireAll(web, address, 0, BEFORE);
  // Their jobs have waited for long: the relay has seen them, and will not look again for an hour.
  await stores.sql(
    `UPDATE deliveries
       SET created_at = created_at - INTERVAL 1 HOUR, due_at = NOW(3) + INTERVAL 1 HOUR`,
  );
  return { web, address };
}

async function fireAll(fabula: TestFabulaHere, address: string, from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number += 1) {
    expect((await fabula.fire(address, { number })).status).toBe(201);
  }
}

/** The copy on which the second life begins. */
async function restore(): Promise<TestStores> {
  const { url, drop } = await createEmptyDatabase();
  await copyDatabase(stores.databaseUrl, url);
  const db = createDatabase({ url, poolSize: 4, logger: stores.logger });
  stores.onClose(async () => {
    await db.close();
    await drop();
  });
  const { redis, redisUrl, logger, queuePrefix } = stores;
  return {
    redis,
    redisUrl,
    logger,
    queuePrefix,
    db,
    databaseUrl: url,
    sql: (text, values) => writeOutside(db, text, values),
    onClose: (close) => stores.onClose(close),
  };
}

/** Which runs have gone to their end, each as often as it has. */
async function ends(fabula: TestFabulaHere): Promise<number[]> {
  const events = await fabula.events();
  const numbers = events
    .filter(({ agent }) => agent === 'After')
    .map(({ payload }) => (payload as { number: number }).number);
  return numbers.toSorted((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

/** Requests that the other side received: for each key, the numbers that came with it. */
function numbersByKey(): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { headers, text } of target.requests) {
    const key = headers['idempotency-key']!;
    numbers.set(key, [...(numbers.get(key) ?? []), (JSON.parse(text) as { number: number }).number]);
  }
  return numbers;
}

/** Waits until nothing is open, while the relay looks at everything as it would after half a minute. */
async function settledInHurry({ db, sql }: TestStores): Promise<void> {
  await eventually(async () => {
    await sql(
      `UPDATE deliveries SET due_at = NOW(3) WHERE state = 'pending'
       AND created_at < NOW(3) - INTERVAL 2 SECOND AND due_at > NOW(3) + INTERVAL 10 SECOND`,
    );
    const rows = await db.read((session) => session.rows('SELECT id FROM deliveries'));
    return rows.length === 0;
  }, 60_000);
}

/** Goes on after the backup in the first life: all that was under way, and more, of which some is left waiting. */
async function goOnAndEnd({ web, address }: Awaited<ReturnType<typeof firstLife>>): Promise<string> {
  const { queuePrefix } = web.config;
  const workers = await startFabulaHere(stores, { env: { QUEUE_PREFIX: queuePrefix } });
  await fireAll(web, address, 1_000, AFTER);
  await workers.settled();
  // The relay knows this Redis.
  await eventually(async () => (await stores.redis.keys(`${queuePrefix}:sentinel*`)).length > 0);
  await workers.close();
  await fireAll(web, address, 2_000, BEFORE);
  await web.close();
  return queuePrefix;
}

test('a backup of MySQL alone, beside an empty Redis: what was under way goes on to its end, once', async () => {
  const { web, address } = await firstLife();
  const copy = await restore();
  await web.close();
  const fabula = await startFabulaHere(copy);
  await fabula.settled();
  expect(await ends(fabula)).toEqual(upTo(BEFORE));
  await fireAll(fabula, address, BEFORE, AFTER);
  await fabula.settled();
  expect(await ends(fabula)).toEqual(upTo(BEFORE + AFTER));
  expect([...numbersByKey().values()].every((numbers) => numbers.length === 1)).toBe(true);
});

describe('a backup restored beside the Redis of the life that went on', () => {
  test('after "database restored" everything goes on at once, and nothing is taken for what the first life did', async () => {
    const first = await firstLife();
    const copy = await restore();
    const env = { QUEUE_PREFIX: await goOnAndEnd(first) };
    const response = await runCli(['database', 'restored', '--json'], {
      env: { DATABASE_URL: copy.databaseUrl, REDIS_URL: copy.redisUrl },
    });
    expect(response).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(response.out)).toMatchObject({ openDeliveries: BEFORE, deadLetters: 0 });

    const fabula = await startFabulaHere(copy, { env });
    // The relay looks for what is late after half a minute; this must be quicker.
    await fabula.settled(15_000);
    await fireAll(fabula, first.address, BEFORE, AFTER);
    await fabula.settled(15_000);
    expect(await ends(fabula)).toEqual(upTo(BEFORE + AFTER));
    expectKeysToTellApart();
  });

  test('without it nothing is lost either: what an old job stands in the way of comes later', async () => {
    const first = await firstLife();
    const copy = await restore();
    const env = { QUEUE_PREFIX: await goOnAndEnd(first) };
    const fabula = await startFabulaHere(copy, { env });
    await fireAll(fabula, first.address, BEFORE, AFTER);
    await settledInHurry(copy);
    expect(await ends(fabula)).toEqual(upTo(BEFORE + AFTER));
    expect(await fabula.deadLetters()).toEqual([]);
    expectKeysToTellApart();
  });
});

/**
 * Requests that both lives sent have one key, so that the other side can tell the repeat; a request of only one has its own key,
 * although the deliveries had the same numbers.
 */
function expectKeysToTellApart(): void {
  const received = [...numbersByKey().values()];
  for (const numbers of received) expect(new Set(numbers).size).toBe(1);
  const repeated = received.filter((numbers) => numbers.length > 1).map(([number]) => number);
  expect(repeated.toSorted((a, b) => a! - b!)).toEqual(upTo(BEFORE));
}
