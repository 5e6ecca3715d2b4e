import { createSilentLogger } from '../../src/platform/logger.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { openReadReplica } from '../../src/platform/mysql/reader/read-replica.js';
import { isTransient } from '../../src/platform/mysql/db-errors.js';
import { eventually } from '../support/eventually.js';
import { describeGalera } from '../support/galera/describe-galera.js';
import type { Galera } from '../support/galera/galera.js';
import type { GaleraNode } from '../support/galera/galera-node.js';
import { type Haproxy, haproxyLacks, startHaproxy } from '../support/haproxy/haproxy.js';

const LIMIT_MS = 240_000;
const FAILOVER_MS = 60_000;

/** Ends what a test has opened, even if it fails. */
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function open(url: string): Database {
  const database = createDatabase({ url, poolSize: 4, logger: createSilentLogger(), watched: true });
  closers.push(() => database.close());
  return database;
}

interface Connection {
  port: number;
  isolation: string;
  zone: string;
  lockWait: number;
  autocommit: number;
}

const ASKED = `SELECT @@port AS port, @@tx_isolation AS isolation, @@time_zone AS zone,
  @@innodb_lock_wait_timeout AS lockWait, @@autocommit AS autocommit`;

/** A connection of each kind; undefined while one fails. */
async function connectionsOf(database: Database): Promise<Connection[] | undefined> {
  try {
    const [own] = await database.read((session) => session.rows<Connection>(ASKED));
    const [group] = await database.groupTransaction((session) => session.rows<Connection>(ASKED));
    const [[byKnex]] = (await database.knex.raw(ASKED)) as [[Connection]];
    return [own, group, byKnex].filter((each) => each !== undefined);
  } catch (error) {
    if (!isTransient(error)) throw error;
    return undefined;
  }
}

const usesOnly = async (database: Database, { port }: GaleraNode) =>
  (await connectionsOf(database))?.every((each) => each.port === port);

async function startBefore({ nodes }: Galera): Promise<Haproxy> {
  const proxy = await startHaproxy(nodes);
  closers.push(() => proxy.close());
  return proxy;
}

const lacked = haproxyLacks();
const describeProxy = lacked === undefined ? describe : describe.skip;

describeGalera('a Galera cluster', (galera) => {
  describeProxy(lacked === undefined ? 'behind HAProxy' : `behind HAProxy (${lacked})`, () => {
    test(
      'sends all connections to one node, which keep what they have set; a node that is killed or read-only is left',
      async () => {
        const [first, second, third] = galera().nodes;
        const proxy = await startBefore(galera());
        const database = open(proxy.url);
        await eventually(() => usesOnly(database, first), FAILOVER_MS);
        const same = { port: first.port, isolation: 'READ-COMMITTED', zone: '+00:00', lockWait: 3 };
        expect(await connectionsOf(database)).toEqual([
          { ...same, autocommit: 1 },
          { ...same, autocommit: 0 },
          { ...same, autocommit: 1 },
        ]);

        await first.kill();
        await eventually(() => usesOnly(database, second), FAILOVER_MS);
        await second.ask('SET GLOBAL read_only = ON');
        closers.push(() => second.ask('SET GLOBAL read_only = OFF'));
        await eventually(() => usesOnly(database, third), FAILOVER_MS);
        await first.start();
        await galera().isWhole();
        await eventually(() => usesOnly(database, first), FAILOVER_MS);
      },
      LIMIT_MS,
    );

    test(
      'may be killed and started again, or cut all connections',
      async () => {
        const [first] = galera().nodes;
        const proxy = await startBefore(galera());
        const database = open(proxy.url);
        await eventually(() => usesOnly(database, first), FAILOVER_MS);
        await proxy.kill();
        expect(await connectionsOf(database)).toBeUndefined();
        await proxy.start();
        await eventually(() => usesOnly(database, first), FAILOVER_MS);
        await proxy.cutAll();
        await eventually(() => usesOnly(database, first), FAILOVER_MS);
      },
      LIMIT_MS,
    );
  });

  test(
    'a node for lists is used while it keeps up, also if it is read-only, and left while it applies nothing',
    async () => {
      const [first, second] = galera().nodes;
      const main = open(galera().urlOf(first));
      await migrateLatest(main);
      await second.ask('SET GLOBAL read_only = ON');
      closers.push(() => second.ask('SET GLOBAL read_only = OFF'));
      const reader = openReadReplica({
        main,
        url: galera().urlOf(second),
        poolSize: 2,
        maxLagMs: 5_000,
        logger: createSilentLogger(),
      });
      closers.push(() => reader.close());
      await eventually(() => reader.isUsable(), FAILOVER_MS);
      const [row] = await reader.database.read((session) =>
        session.rows<{ port: number }>('SELECT @@port AS port'),
      );
      expect(row?.port).toBe(second.port);
      await second.whileHeldBack(() => eventually(() => !reader.isUsable(), FAILOVER_MS));
      await eventually(() => reader.isUsable(), FAILOVER_MS);
    },
    LIMIT_MS,
  );
});
