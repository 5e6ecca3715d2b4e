import { MIGRATIONS } from '../../migrations/index.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/migrate.js';
import { describeGalera } from '../support/galera/describe-galera.js';
import type { Galera } from '../support/galera/galera.js';

const LIMIT_MS = 240_000;
const IDS = Object.keys(MIGRATIONS);

describeGalera('two nodes of a Galera cluster that both take writes', (galera) => {
  const open: Database[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
  });

  function connect(node: Galera['nodes'][number]): Database {
    const url = galera().urlOf(node);
    const database = createDatabase({
      url,
      poolSize: 4,
      logger: createSilentLogger(),
      statementTimeoutMs: 60_000,
    });
    open.push(database);
    return database;
  }

  test(
    'run each migration once when two releases start at once',
    async () => {
      const [first, second] = galera().nodes.map(connect);
      const ran = await Promise.all([migrateLatest(first!), migrateLatest(second!)]);
      expect(ran.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, IDS.length]);
      const noted = await first!.knex('migrations').pluck<string[]>('name');
      expect(noted.toSorted()).toEqual(IDS);
    },
    LIMIT_MS,
  );
});
