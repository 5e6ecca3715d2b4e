import { createDatabase } from '../../src/platform/mysql/database.js';
import { createDatabaseClock } from '../../src/platform/mysql/database-clock.js';
import { CommitUnknown, isConnectionError } from '../../src/platform/mysql/db-errors.js';
import { createGroupCommit } from '../../src/platform/mysql/commit/group-commit.js';
import { probeDatabase } from '../../src/platform/mysql/connections/probe.js';
import { createAvailability, DatabaseDown } from '../../src/platform/mysql/connections/availability.js';
import type { SpoolQuota } from '../../src/engine/accept/spool-quota.js';
import { createOutageSpool } from '../../src/engine/accept/outage-spool.js';
import { OutcomeUnknown, Unavailable } from '../../src/platform/errors.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { NO_REPLICAS } from '../support/no-replicas.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores();
/** Two seconds, and what a machine may add that does other things as well; a statement alone would hang for fifteen. */
const SOON_MS = 4_000;
let proxy: TcpProxy;
beforeEach(async () => {
  proxy = await startTcpProxy(stores.databaseUrl);
});
afterEach(() => proxy.close());

function watchedDatabase() {
  const database = createDatabase({ url: proxy.url, poolSize: 2, logger: stores.logger, watched: true });
  stores.onClose(() => database.close());
  return database;
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a database that does not answer', () => {
  it('ends what waits for it, on a connection or for one, and refuses what comes, until it answers again', async () => {
    const database = watchedDatabase();
    await database.ping();
    proxy.freeze();
    const began = Date.now();
    const waiting = Array.from({ length: 5 }, () => errorOf(database.ping()));
    const builder = errorOf(database.knex.select(1));
    for (const error of [...(await Promise.all(waiting)), await builder]) {
      expect(isConnectionError(error)).toBe(true);
    }
    expect(Date.now() - began).toBeLessThan(25_000);
    expect(await errorOf(database.ping())).toBeInstanceOf(DatabaseDown);
    expect(await database.isDown()).toBe(true);
    proxy.restore();
    await eventually(async () => (await errorOf(database.ping())) === undefined);
    expect(await database.isDown()).toBe(false);
  });

  it('leaves nothing behind of a transaction that had not come to its COMMIT', async () => {
    const database = watchedDatabase();
    const error = await errorOf(
      database.transaction(async (session) => {
        await session.run("INSERT INTO settings (name, value) VALUES ('hang', 'x')");
        proxy.freeze();
        await session.rows('SELECT 1');
      }),
    );
    expect(isConnectionError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(CommitUnknown);
    proxy.restore();
    await eventually(async () => (await errorOf(database.ping())) === undefined);
    expect(
      await database.read((session) => session.rows("SELECT 1 FROM settings WHERE name = 'hang'")),
    ).toEqual([]);
  });

  it('says of a transaction whose COMMIT was under way that nobody knows', async () => {
    const database = watchedDatabase();
    proxy.swallowCommits(1);
    const error = await errorOf(
      database.transaction((session) =>
        session.run("INSERT INTO settings (name, value) VALUES ('half', 'x')"),
      ),
    );
    expect(error).toBeInstanceOf(CommitUnknown);
    expect(isConnectionError(error)).toBe(true);
    expect(
      await stores.db.read((session) => session.rows("SELECT 1 FROM settings WHERE name = 'half'")),
    ).toHaveLength(1);
    await stores.sql("DELETE FROM settings WHERE name = 'half'");
  });

  it('is none that is only slow, or that refuses newcomers with a word', async () => {
    const database = watchedDatabase();
    expect(await database.read((session) => session.rows('SELECT SLEEP(2.5) AS slept'))).toEqual([
      { slept: 0 },
    ]);
    const stranger = new URL(stores.databaseUrl);
    stranger.username = 'nobody-of-this-name';
    expect(await probeDatabase({ url: stranger.href })).toBe(true);
    proxy.cut();
    expect(await probeDatabase({ url: proxy.url })).toBe(false);
    expect(await database.isDown()).toBe(true);
  });
});

const watching = (answers: () => boolean) => {
  let probes = 0;
  const reach = createAvailability({
    probe: () => {
      probes += 1;
      return Promise.resolve(answers());
    },
    logger: stores.logger,
  });
  stores.onClose(() => reach.close());
  return { reach, probes: () => probes };
};

describe('the watch', () => {
  it('asks nobody while nothing waits long', async () => {
    const { reach, probes } = watching(() => true);
    const until = performance.now() + 500;
    await eventually(() => {
      reach.begin(() => undefined)(false);
      return performance.now() > until;
    });
    expect(probes()).toBe(0);
  });

  it('tells each wait once, those that come later at once, and those that ended never', async () => {
    let up = false;
    const { reach } = watching(() => up);
    const told: string[] = [];
    reach.begin(() => told.push('ended'))(true);
    reach.begin(() => told.push('waiting'));
    await eventually(() => told.length > 0);
    reach.begin(() => told.push('late'));
    expect(told).toEqual(['waiting', 'late']);
    up = true;
    await eventually(async () => !(await reach.isDown()));
    reach.begin(() => told.push('afterwards'))(true);
    expect(told).toHaveLength(2);
  });
});

describe('a database that is busy', () => {
  it('is not taken for one that is away while it answers others, though it keeps a newcomer waiting', async () => {
    let others = true;
    const reach = createAvailability({
      probe: async () => {
        // A response that comes while the newcomer waits.
        if (others) await new Promise((resolve) => setImmediate(resolve));
        if (others) reach.begin(() => undefined)(true);
        return false;
      },
      logger: stores.logger,
    });
    stores.onClose(() => reach.close());
    expect(await reach.isDown()).toBe(false);
    others = false;
    expect(await reach.isDown()).toBe(true);
  });
});

describe('batches of a group commit', () => {
  it('are given up at once while the database answers nobody, and name a COMMIT that may have worked', async () => {
    let tries = 0;
    const failures = [new CommitUnknown(new Error('broken')), new DatabaseDown()];
    const group = createGroupCommit<number, string>({
      name: 'numbers',
      commit: () => Promise.reject(failures[Math.min(tries++, 1)]!),
      sizeOf: () => 1,
      maxItems: 10,
      maxBytes: 10,
      maxPendingItems: 10,
      maxPendingBytes: 10,
      retryForMs: 60_000,
      isDown: () => Promise.resolve(tries > 1),
    });
    const error = await errorOf(group.submit(1));
    expect(error).toBeInstanceOf(Unavailable);
    expect((error as Unavailable).cause).toBeInstanceOf(CommitUnknown);
    expect(tries).toBe(2);
  });
});

const starterOf = (reason: Error, spool: { take?: SpoolQuota['take']; add?: () => Promise<unknown> }) =>
  createOutageSpool({
    writer: { start: () => Promise.reject(new Unavailable('away', { cause: reason })) },
    queue: { add: () => Promise.resolve({}), ...spool } as never,
    room: { take: () => Promise.resolve({ taken: true, heldBytes: 1, limitBytes: 2 }), ...spool },
    copies: NO_REPLICAS,
    logger: stores.logger,
  });

describe('a call that no store took for certain', () => {
  const run = {
    guid: 'g',
    story: { id: 1 },
    agent: { id: 2 },
    source: 'webhook',
    payload: {},
  } as unknown as RunStart;
  const full = { take: () => Promise.resolve({ taken: false, heldBytes: 2, limitBytes: 2 }) };
  const mute = { take: () => Promise.reject(new Error('Command timed out')) };
  const broken = { add: () => Promise.reject(new Error('Connection is closed')) };
  const unknown = new CommitUnknown(new Error('broken'));

  it.each([
    ['refused when it was never committed and the spool is full', new DatabaseDown(), full, Unavailable],
    ['refused when it was never committed and Redis hangs', new DatabaseDown(), mute, Unavailable],
    ['not known when its COMMIT had no answer and the spool is full', unknown, full, OutcomeUnknown],
    ['not known when its COMMIT had no answer and Redis hangs', unknown, mute, OutcomeUnknown],
    ['not known when its way into the spool broke', new DatabaseDown(), broken, OutcomeUnknown],
  ])('is %s', async (_what, reason, spool, kind) => {
    expect(await errorOf(starterOf(reason, spool).start(run))).toBeInstanceOf(kind);
  });

  it('is not known when somebody waits for its response, who cannot be served from the spool', async () => {
    const awaited = { ...run, awaited: true };
    expect(await errorOf(starterOf(unknown, {}).start(awaited))).toBeInstanceOf(OutcomeUnknown);
    expect(await errorOf(starterOf(new DatabaseDown(), {}).start(awaited))).toBeInstanceOf(Unavailable);
  });

  it('is accepted when the spool has it, whatever became of its COMMIT', async () => {
    expect(await starterOf(unknown, {}).start(run)).toEqual({ eventId: undefined });
  });
});

it('while the database hangs, webhooks are accepted soon, and each is stored once when it goes on', async () => {
  const fabula = await startFabula(stores, { env: { DATABASE_URL: proxy.url } });
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', { include_headers: false }], After: says({ n: '=hook.n' }) }, [
      'Hook > After',
    ]),
  );
  const fire = async (n: number) => {
    const began = Date.now();
    const { status } = await fabula.fire(webhooks['Hook']!, { n });
    return { status, withTimeout: Date.now() - began < SOON_MS };
  };
  await fire(0);
  await fabula.settled();
  const busy = Promise.all([1, 2, 3, 4].map(fire));
  proxy.freeze();
  const hanging = Promise.all([5, 6, 7, 8].map(fire));
  expect([...(await busy), ...(await hanging)]).toEqual(
    Array.from({ length: 8 }, () => ({ status: 201, withTimeout: true })),
  );
  const spool = queueOf(fabula, SPOOL_QUEUE, stores);
  expect(await spool.getJobCountByTypes('wait', 'active')).toBeGreaterThan(0);
  expect(await fire(9)).toEqual({ status: 201, withTimeout: true });
  proxy.restore();
  await eventually(async () => (await spool.getJobCountByTypes('wait', 'active')) === 0, 30_000);
  await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
  await fabula.settled(40_000);
  const numbers = (await fabula.events())
    .filter(({ agent }) => agent === 'After')
    .map(({ payload }) => (payload as { n: number }).n);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await fabula.close();
});

describe('the time of the database', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is what it says, and goes on by itself, however this process is set and while the database is away', async () => {
    const database = createDatabase({ url: proxy.url, poolSize: 1, logger: stores.logger });
    stores.onClose(() => database.close());
    const nowMs = createDatabaseClock({ database, logger: stores.logger });
    const right = Date.now.bind(Date);
    expect(Math.abs((await nowMs()) - right())).toBeLessThan(60_000);
    proxy.cut();
    for (const jump of [300_000, -300_000]) {
      jest.spyOn(Date, 'now').mockImplementation(() => right() + jump);
      expect(Math.abs((await nowMs()) - right())).toBeLessThan(60_000);
    }
  });

  it('is this process’s own until the database has said it once', async () => {
    proxy.cut();
    const database = createDatabase({ url: proxy.url, poolSize: 1, logger: stores.logger });
    stores.onClose(() => database.close());
    const nowMs = createDatabaseClock({ database, logger: stores.logger });
    jest.spyOn(Date, 'now').mockImplementation(() => 1_000);
    expect(await nowMs()).toBe(1_000);
  });
});
