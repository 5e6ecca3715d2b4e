import { createDatabase } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { askMasters } from '../../src/platform/redis/masters.js';
import { startChaosStores } from '../chaos/chaos-stores.js';
import { hasOneDatabase, type Topology } from '../chaos/topology.js';

export const FLOOR_SCHEMA = 'bench_floor';
/** The database of the other build, beside the product's. */
const OTHER_SCHEMA = 'bench_other';
/** The floor's tables are the product's own, with all their columns and indexes. */
const FLOOR_TABLES = ['story_runs', 'events', 'deliveries', 'implode_items'];
const PRODUCT_TABLES = [
  ...FLOOR_TABLES,
  'stories',
  'agents',
  'links',
  'schedules',
  'agent_logs',
  'story_calls',
  'prompts',
  'deduplicated_values',
  'record_types',
  'record_fields',
  'records',
  'record_values',
  'record_counts',
  'record_chores',
  'case_records',
  'cases',
  'case_assignees',
  'case_activities',
  'case_notifications',
  'audit_logs',
];

/**
 * Private stores with the settings that the product is run with, reached as `npm start` has them reached: every commit is on the disk
 * before it is answered.
 */
export type BenchStores = Awaited<ReturnType<typeof startBenchStores>>;

/**
 * `searchPath` says where to look for the servers first. Of several servers no processor time is told. On several databases
 * there is no floor: it takes ids for consecutive, and they are not there.
 */
export async function startBenchStores(searchPath: string, topology: Topology = 'lone') {
  const stores = await startChaosStores(searchPath, topology);
  const { redisUrl, db, redis, version } = stores;
  const databaseUrl = stores.localDatabaseUrl === '' ? stores.databaseUrl : stores.localDatabaseUrl;
  const inSession = <T>(work: (session: Session) => Promise<T>) => db.read(work);
  const rows = <Row>(sql: string, values: (string | number)[] = []) =>
    inSession((session) => session.rows<Row>(sql, values));
  const [{ schema } = { schema: '' }] = await rows<{ schema: string }>('SELECT DATABASE() AS `schema`');
  const floorTables = hasOneDatabase(topology) ? FLOOR_TABLES : [];
  await inSession(async (session) => {
    if (floorTables.length > 0) await session.run(`CREATE DATABASE ${FLOOR_SCHEMA}`);
    for (const table of floorTables)
      await session.run(`CREATE TABLE ${FLOOR_SCHEMA}.${table} LIKE ${schema}.${table}`);
  });

  return {
    db,
    databaseUrl,
    redisUrl,
    /** The servers. @throws Error where there are several. */
    get mysql() {
      return stores.mysql;
    },
    get redisServer() {
      return stores.redisServer;
    },
    version,
    close: () => stores.close(),
    schema,
    /** The floor's database. @throws Error where there are several servers. */
    get floorUrl(): string {
      if (floorTables.length === 0) throw new Error(`There is no floor on --topology ${topology}`);
      return withSchema(databaseUrl, FLOOR_SCHEMA);
    },
    rows,
    /** As if nothing had ever happened: the tables are made anew, so that no turn leaves work to the next. */
    async renew(): Promise<void> {
      await inSession(async (session) => {
        for (const table of PRODUCT_TABLES) await session.run(`TRUNCATE TABLE ${schema}.${table}`);
        for (const table of floorTables) await session.run(`TRUNCATE TABLE ${FLOOR_SCHEMA}.${table}`);
      });
      await askMasters(redis, (server) => server.flushall());
    },
    /** The server's counters. */
    async counters(): Promise<Map<string, number>> {
      const counters = await rows<{ Variable_name: string; Value: string }>('SHOW GLOBAL STATUS');
      return new Map(counters.map((row) => [row.Variable_name, Number(row.Value)]));
    },
    /** Commands that Redis has run, those in scripts too. */
    async redisCommands(): Promise<number> {
      const calls = [...(await redis.info('commandstats')).matchAll(/:calls=(\d+)/g)];
      return calls.reduce((sum, [, count]) => sum + Number(count), 0);
    },
    async redisMemory(): Promise<number> {
      const [, bytes] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
      return Number(bytes);
    },
  };
}

/** The same servers, with a database of its own: for another build that is called in turns with the product. */
export async function withOtherStores<T>(
  stores: BenchStores,
  work: (other: BenchStores) => Promise<T>,
): Promise<T> {
  await stores.rows(`CREATE DATABASE ${OTHER_SCHEMA}`);
  const databaseUrl = withSchema(stores.databaseUrl, OTHER_SCHEMA);
  const db = createDatabase({ url: databaseUrl, poolSize: 2, logger: createSilentLogger() });
  try {
    await migrateLatest(db);
    return await work({ ...stores, db, databaseUrl, schema: OTHER_SCHEMA });
  } finally {
    await db.close();
    await stores.rows(`DROP DATABASE ${OTHER_SCHEMA}`);
  }
}

function withSchema(databaseUrl: string, schema: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${schema}`;
  return url.href;
}
