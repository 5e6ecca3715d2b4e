import { setTimeout as sleep } from 'node:timers/promises';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { isTransient } from '../../src/platform/mysql/db-errors.js';
import { eventually } from '../support/eventually.js';
import { describeGalera } from '../support/galera/describe-galera.js';
import type { GaleraNode } from '../support/galera/galera-node.js';

const LIMIT_MS = 240_000;
const WAITED_MS = 500;
/** The others wait for five seconds before they go on without a node that does not respond. */
const FAILOVER_MS = 40_000;

const rowsOn = async (node: GaleraNode) =>
  (await node.ask('SELECT id FROM fabula.kept ORDER BY id')).map(({ id }) => id);

describeGalera('a Galera cluster for tests', (galera) => {
  test(
    'gives a node that was killed what it has missed, and keeps a step of ids that was set by hand',
    async () => {
      const [first, second, third] = galera().nodes;
      await first.ask('CREATE TABLE fabula.kept (id INT PRIMARY KEY)');
      await first.ask('INSERT INTO fabula.kept VALUES (1)');
      await third.kill();
      await second.ask('INSERT INTO fabula.kept VALUES (2)');
      await third.start();
      await eventually(async () => (await rowsOn(third)).length === 2);
      expect(await rowsOn(third)).toEqual([1, 2]);

      await first.setIdStep(7, 2);
      expect(await first.ask('SELECT @@GLOBAL.auto_increment_increment AS step')).toEqual([{ step: 7 }]);
      await third.stop();
      expect(await first.ask('SELECT @@GLOBAL.auto_increment_increment AS step')).toEqual([{ step: 7 }]);
    },
    LIMIT_MS,
  );
});

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

/** The node that a query, and a transaction of a batch, come to now; undefined while one fails. */
async function portsOf(database: Database): Promise<number[] | undefined> {
  const asked = 'SELECT @@port AS port';
  try {
    const [row] = await database.read((session) => session.rows<{ port: number }>(asked));
    const [group] = await database.groupTransaction((session) => session.rows<{ port: number }>(asked));
    const [[byKnex]] = (await database.knex.raw(asked)) as [[{ port: number }]];
    return [row, group, byKnex].map((each) => each?.port ?? 0);
  } catch (error) {
    if (!isTransient(error)) throw error;
    return undefined;
  }
}

const usesOnly = async (database: Database, { port }: GaleraNode) =>
  (await portsOf(database))?.every((each) => each === port);

describeGalera('a process whose address lists three nodes', (galera) => {
  test(
    'sees on each node what another one has committed, though the node lags',
    async () => {
      const [first, second] = galera().nodes;
      await first.ask('CREATE TABLE fabula.seen (id INT PRIMARY KEY)');
      await eventually(async () => (await second.ask("SHOW TABLES FROM fabula LIKE 'seen'")).length === 1);
      const database = open(galera().urlOf(second));
      const seen = () => database.read((session) => session.rows('SELECT id FROM fabula.seen'));
      expect(await seen()).toEqual([]);
      let reading: Promise<unknown[]> | undefined;
      await second.whileHeldBack(async () => {
        await first.ask('INSERT INTO fabula.seen VALUES (1)');
        expect(await second.ask('SELECT id FROM fabula.seen')).toEqual([]);
        reading = seen();
        // A read that does not wait ends meanwhile, without the row.
        await Promise.race([reading, sleep(WAITED_MS)]);
      });
      expect(await reading).toEqual([{ id: 1 }]);
    },
    LIMIT_MS,
  );

  test(
    'uses the first, and another one when that becomes read-only, hangs, or is killed',
    async () => {
      const [first, second, third] = galera().nodes;
      const database = open(galera().urlOfAll([first, second, third]));
      expect(await usesOnly(database, first)).toBe(true);

      await first.ask('SET GLOBAL read_only = ON');
      closers.push(() => first.ask('SET GLOBAL read_only = OFF'));
      await eventually(() => usesOnly(database, second));

      second.freeze();
      try {
        await eventually(() => usesOnly(database, third), FAILOVER_MS);
      } finally {
        second.thaw();
      }
      await galera().isWhole();

      await third.kill();
      await eventually(() => usesOnly(database, second), FAILOVER_MS);
      await third.start();
      await galera().isWhole();
    },
    LIMIT_MS,
  );

  test(
    'leaves a node that is outside its cluster, or that does not keep up',
    async () => {
      const [first, second, third] = galera().nodes;
      const database = open(galera().urlOfAll([third, first, second]));
      expect(await usesOnly(database, third)).toBe(true);
      await third.ask('SET GLOBAL wsrep_desync = ON');
      closers.push(() => third.ask('SET GLOBAL wsrep_desync = OFF'));
      await eventually(() => usesOnly(database, first));
      await first.ask("SET GLOBAL wsrep_cluster_address = 'gcomm://127.0.0.1:1'").catch(() => undefined);
      await eventually(() => usesOnly(database, second));
    },
    LIMIT_MS,
  );
});
