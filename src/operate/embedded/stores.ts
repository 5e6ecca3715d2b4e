import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inheritedEnvironment } from '../../config/face.js';
import { type DatabaseRights, DATABASE_NAME, DATABASE_USER } from './database-account.js';
import { createDatabaseStore, databaseSocket } from './database-store.js';
import { type ConfirmInstall, obtainDatabase, obtainRedis } from './install/obtain-servers.js';
import { readJsonFile, writePrivateJson } from './private-file.js';
import { isProcessMark, isRunning } from './process-identity.js';
import { createRedisStore } from './redis-store.js';
import type { SearchPlaces } from './install/server-binaries.js';
import {
  prepareFolders,
  readSecrets,
  type StoreFolders,
  type StoreSecrets,
  writeSecrets,
} from './store-folders.js';
import { type StoreExit, stopLeftover, type StoreProcess } from './store-process.js';

export interface EmbeddedOptions {
  /** Contains the data; only one process may use it at a time (the caller's lock). */
  dataDir: string;
  needDatabase: boolean;
  needRedis: boolean;
  /** Called with one line for each step. */
  log: (line: string) => void;
  /** Folder for unpacked servers if the system has none; default `<dataDir>/servers`. */
  serversDir?: string | undefined;
  /** Asks before packages are installed on the system. By default they may be installed. */
  confirmInstall?: ConfirmInstall | undefined;
  bufferPoolMb?: number;
  /** The account's rights: all in its own database (default), or all in every database, which tests need. */
  databaseRights?: DatabaseRights;
  /** Additional arguments of the database server. */
  databaseArguments?: string[];
  env?: NodeJS.ProcessEnv;
}

export interface EmbeddedStores {
  /** URL of the database `fabula`, with its account; undefined if the database is not embedded. */
  databaseUrl: string | undefined;
  /** The same through the server's socket, if its path is stable: a round trip is faster than through the port (decision 0036). */
  localDatabaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Handles to stop, restart or find the process of a store. */
  mysql: StoreProcess | undefined;
  redis: StoreProcess | undefined;
  /** Calls `listener` for every store that ends without being stopped; `start()` on its handle starts it again. */
  onExit: (listener: (exit: StoreExit) => void) => void;
  /** Starts a store that has ended, with the same port and data, and updates the file with the running processes. */
  revive: (name: StoreExit['name']) => Promise<void>;
  /** Stops both cleanly (by force after `limitMs`). */
  stop: (limitMs?: number) => Promise<void>;
}

const DEFAULT_BUFFER_POOL_MB = 256;

/**
 * Starts a private MySQL (or MariaDB) and Redis on `dataDir`, and installs the servers first if the machine
 * has none. Both listen on 127.0.0.1 only, on free ports, with passwords.
 * @throws ServersMissing if they cannot be installed; Error with the end of its log if a store does not start.
 */
export async function startEmbeddedStores(options: EmbeddedOptions): Promise<EmbeddedStores> {
  const context = contextOf(options);
  const { folders, secrets } = context;
  const mysql = options.needDatabase ? await startDatabase(context) : undefined;
  try {
    const redis = options.needRedis ? await startRedis(context) : undefined;
    return handles(folders, secrets, mysql, redis);
  } catch (error) {
    await mysql?.stop();
    throw error;
  }
}

/** Finds or installs the servers that are needed, without starting them. @throws ServersMissing */
export async function obtainStores(options: EmbeddedOptions): Promise<void> {
  const context = contextOf(options);
  if (options.needDatabase) await databaseFor(context);
  if (options.needRedis) await obtainRedis(obtaining(context));
}

/** Stops the stores that a killed run left behind. The caller must have the data folder's lock. */
export async function stopLeftovers(dataDir: string): Promise<void> {
  const { run } = prepareFolders(dataDir);
  await Promise.all(['mysql', 'redis'].map((name) => stopLeftover(path.join(run, `${name}.pid.json`))));
}

function contextOf(options: EmbeddedOptions): Context {
  const folders = prepareFolders(options.dataDir);
  const secrets = readSecrets(folders);
  const env = options.env ?? inheritedEnvironment();
  const unpacked = options.serversDir ?? path.join(folders.data, 'servers');
  return { options, folders, secrets, env, places: { searchPath: env.PATH ?? '', unpacked } };
}

function obtaining({ options, places }: Context) {
  return { places, say: options.log, confirm: options.confirmInstall };
}

/** Finds or installs the kind of server that wrote the data, if there is any. */
function databaseFor(context: Context) {
  const { folders, secrets } = context;
  return obtainDatabase(obtaining(context), existsSync(folders.mysql) ? secrets.database_kind : undefined);
}

interface Context {
  options: EmbeddedOptions;
  folders: StoreFolders;
  secrets: StoreSecrets;
  env: NodeJS.ProcessEnv;
  places: SearchPlaces;
}

async function startDatabase(context: Context): Promise<StoreProcess> {
  const { options, folders, secrets, env } = context;
  const binaries = await databaseFor(context);
  writeSecrets(folders, { ...secrets, database_kind: binaries.kind });
  const bufferPoolMb = options.bufferPoolMb ?? DEFAULT_BUFFER_POOL_MB;
  const password = secrets.mysql_password;
  return started(options.log, binaries.kind === 'mariadb' ? 'MariaDB' : 'MySQL', () =>
    createDatabaseStore({
      binaries,
      folders,
      password,
      bufferPoolMb,
      env,
      rights: options.databaseRights ?? 'own',
      more: options.databaseArguments,
    }),
  );
}

async function startRedis(context: Context): Promise<StoreProcess> {
  const { options, folders, secrets, env } = context;
  const binary = await obtainRedis(obtaining(context));
  return started(options.log, 'Redis', () =>
    createRedisStore({ binary, folders, password: secrets.redis_password, env }),
  );
}

async function started(
  log: (line: string) => void,
  label: string,
  create: () => StoreProcess | Promise<StoreProcess>,
): Promise<StoreProcess> {
  const began = Date.now();
  log(`Starting ${label} …`);
  const store = await create();
  await store.start();
  log(`Starting ${label}: ready on 127.0.0.1:${store.port} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return store;
}

/** `socketPath` is an option of the driver. */
function throughSocket(databaseUrl: string, socket: string | undefined): string {
  return socket === undefined ? databaseUrl : `${databaseUrl}?socketPath=${encodeURIComponent(socket)}`;
}

function handles(
  folders: StoreFolders,
  secrets: StoreSecrets,
  mysql: StoreProcess | undefined,
  redis: StoreProcess | undefined,
): EmbeddedStores {
  const running = [mysql, redis].filter((store) => store !== undefined);
  const databaseUrl =
    mysql && `mysql://${DATABASE_USER}:${secrets.mysql_password}@127.0.0.1:${mysql.port}/${DATABASE_NAME}`;
  const localDatabaseUrl = databaseUrl && throughSocket(databaseUrl, databaseSocket(folders));
  const redisUrl = redis && `redis://:${secrets.redis_password}@127.0.0.1:${redis.port}`;
  const publish = (): void =>
    writePrivateJson(runFile(folders.run), {
      database_url: databaseUrl,
      redis_url: redisUrl,
      processes: running.map((store) => store.mark),
    });
  publish();
  return {
    databaseUrl,
    localDatabaseUrl,
    redisUrl,
    mysql,
    redis,
    onExit(listener) {
      for (const store of running) store.onExit(listener);
    },
    async revive(name) {
      await running.find((store) => store.name === name)?.start();
      publish();
    },
    async stop(limitMs) {
      await Promise.all(running.map((store) => store.stop(limitMs)));
      rmSync(runFile(folders.run), { force: true });
    },
  };
}

/**
 * Returns the URLs of the embedded stores that run on `dataDir`; undefined if none run. A store that is not
 * embedded there has no URL here.
 */
export async function readRunningStores(
  dataDir: string,
): Promise<{ databaseUrl: string | undefined; redisUrl: string | undefined } | undefined> {
  const content = readJsonFile(runFile(path.join(path.resolve(dataDir), 'run')));
  if (typeof content !== 'object' || content === null) return undefined;
  const { database_url, redis_url, processes } = content as Record<string, unknown>;
  const marks = Array.isArray(processes) ? processes.filter(isProcessMark) : [];
  const alive = await Promise.all(marks.map(isRunning));
  if (!alive.some(Boolean)) return undefined;
  return { databaseUrl: textOrUndefined(database_url), redisUrl: textOrUndefined(redis_url) };
}

const runFile = (run: string): string => path.join(run, 'stores.json');

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
