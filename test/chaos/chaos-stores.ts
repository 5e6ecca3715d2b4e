import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { retryTransient } from '../../src/platform/mysql/connections/retry-transient.js';
import { startEmbeddedStores } from '../../src/operate/embedded/stores.js';
import type { StoreProcess } from '../../src/operate/embedded/store-process.js';
import type { Galera } from '../support/galera/galera.js';
import type { Group } from '../support/group-replication/group.js';
import type { Haproxy } from '../support/haproxy/haproxy.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { askMasters } from '../../src/platform/redis/masters.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { needed, startDatabaseServers, startRedisServers, type Topology } from './topology.js';

const SERVERS = path.join(__dirname, '..', '..', '.cache', 'servers');
const BUFFER_POOL_MB = 256;
/** Tables to empty after a scenario; agents and stories go with it. */
const EMPTIED = [
  'agents',
  'stories',
  'links',
  'events',
  'deliveries',
  'story_runs',
  'agent_logs',
  'implode_items',
];

/** Real servers of the suite's own, on data folders of their own. */
export type ChaosStores = Awaited<ReturnType<typeof startChaosStores>>;

/** Starts them. `searchPath` says where to look for the servers first; those of a cluster are where Debian has them. */
export async function startChaosStores(searchPath: string, topology: Topology = 'lone') {
  const servers = await startDatabaseServers(topology, searchPath);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'fabula-chaos-'));
  const redisServers = await startRedisServers(topology);
  const embedded = await startEmbeddedStores({
    dataDir,
    needDatabase: servers.url === undefined,
    needRedis: redisServers === undefined,
    serversDir: SERVERS,
    bufferPoolMb: BUFFER_POOL_MB,
    env: { PATH: searchPath },
    databaseRights: 'all',
    log: () => undefined,
  });
  const { databaseUrl = servers.url ?? '', localDatabaseUrl = '' } = embedded;
  const redisUrl = redisServers?.redisUrl ?? embedded.redisUrl ?? '';
  const logger = createSilentLogger();
  const db = createDatabase({
    url: databaseUrl,
    poolSize: 6,
    logger,
    statementTimeoutMs: 120_000,
    watched: servers.url !== undefined,
  });
  const stop = async () => {
    await db.close();
    await embedded.stop();
    await redisServers?.close();
    await servers.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  await migrateLatest(db).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const mysql = servers.url === undefined ? handleOf(embedded.mysql) : undefined;
  const redis = createRedis({ redisUrl, redisTlsRejectUnauthorized: true }, 'worker', logger);
  return {
    searchPath,
    databaseUrl,
    localDatabaseUrl,
    redisUrl,
    db,
    redis,
    /** The nodes of the cluster. @throws Error in another topology. */
    get galera(): Galera {
      return needed(servers.galera, 'galera');
    },
    /** The proxy before them. @throws Error in another topology. */
    get proxy(): Haproxy {
      return needed(servers.proxy, 'proxy');
    },
    /** The members of the group. @throws Error in another topology. */
    get group(): Group {
      return needed(servers.group, 'group-replication');
    },
    /** The server. @throws Error if the suite has a cluster. */
    get mysql(): StoreHandle {
      return mysql ?? handleOf(undefined);
    },
    topology,
    /** The one Redis. @throws Error if the suite has several. */
    get redisServer(): StoreHandle {
      return handleOf(embedded.redis);
    },
    /** Undefined: there is one Redis. */
    redisServers,
    redisFolder: path.join(dataDir, 'redis'),
    version: () => versionOf(db),
    /** Forgets all stories, runs and jobs. Ids go on from where they were: caches may still know the old ones. */
    async empty(): Promise<void> {
      for (const table of EMPTIED) {
        await retryTransient(() => db.read((session) => session.run(`DELETE FROM ${table}`)));
      }
      await askMasters(redis, (server) => server.flushall());
    },
    async close(): Promise<void> {
      redis.disconnect();
      await stop();
    },
  };
}

/** One server, to be hurt. */
export interface StoreHandle {
  process: StoreProcess;
  /** Stops it for a while without its knowing; the promise ends when it goes on. */
  freeze(ms: number): Promise<void>;
  /** Ends it at once, without its knowing. */
  kill(): Promise<void>;
}

function handleOf(store: StoreProcess | undefined): StoreHandle {
  if (store === undefined) throw new Error('The suite needs stores of its own');
  const pid = () => {
    if (store.pid === undefined) throw new Error(`${store.name} is not running`);
    return store.pid;
  };
  return {
    process: store,
    async freeze(ms) {
      const frozen = pid();
      process.kill(frozen, 'SIGSTOP');
      try {
        await new Promise((resolve) => setTimeout(resolve, ms));
      } finally {
        process.kill(frozen, 'SIGCONT');
      }
    },
    async kill() {
      const exited = new Promise((resolve) => store.onExit(resolve));
      process.kill(pid(), 'SIGKILL');
      await exited;
    },
  };
}

/** Removes what Redis has on the disk, while it does not run. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) await rm(path.join(folder, entry), { recursive: true });
}

async function versionOf(db: Database): Promise<string> {
  const [row] = await db.read((session) => session.rows<{ version: string }>('SELECT VERSION() AS version'));
  return row?.version ?? 'unknown';
}
