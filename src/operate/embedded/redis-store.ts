import path from 'node:path';
import { Redis } from 'ioredis';
import { makePrivateFolder, writePrivateFile } from './private-file.js';
import { libraryEnvironment, type RedisBinary } from './install/server-binaries.js';
import type { StoreFolders } from './store-folders.js';
import { createStoreProcess } from './store-process.js';

const AVOID_PORTS = [6379, 16379, 26379];
const CHECK_LIMIT_MS = 2_000;

export interface RedisStoreOptions {
  binary: RedisBinary;
  folders: StoreFolders;
  password: string;
  env: NodeJS.ProcessEnv;
}

/** A private Redis on `folders.redis`. */
export function createRedisStore({ binary, folders, password, env }: RedisStoreOptions) {
  makePrivateFolder(folders.redis);
  const configuration = path.join(folders.run, 'redis.conf');
  return createStoreProcess({
    name: 'redis',
    pidFile: path.join(folders.run, 'redis.pid.json'),
    logFile: path.join(folders.logs, 'redis.log'),
    avoidPorts: AVOID_PORTS,
    prepare(port) {
      // A file instead of arguments, because every user of the machine can read a command line.
      writePrivateFile(configuration, settings(port, folders.redis, password));
      return {
        command: binary.server,
        args: [configuration],
        runAs: binary.runAs,
        env: libraryEnvironment(env, binary.libraries),
      };
    },
    check: (port) => ping(port, password),
  });
}

/**
 * `everysec`: if the machine (not only Redis) fails, up to a second of data that only Redis has is lost.
 * These are jobs, which are created again from the database, and the spool while the database is down.
 */
function settings(port: number, folder: string, password: string): string {
  return [
    'bind 127.0.0.1',
    'protected-mode yes',
    `port ${port}`,
    `dir ${JSON.stringify(folder)}`,
    `requirepass ${password}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    // Commands that could load code or make it follow another server; nothing here needs them.
    ...['MODULE', 'DEBUG', 'REPLICAOF', 'SLAVEOF', 'MIGRATE'].map((name) => `rename-command ${name} ""`),
    'daemonize no',
    'logfile ""',
    '',
  ].join('\n');
}

async function ping(port: number, password: string): Promise<void> {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    password,
    lazyConnect: true,
    connectTimeout: CHECK_LIMIT_MS,
    commandTimeout: CHECK_LIMIT_MS,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
  });
  // `connect()` reports the same error; without a listener ioredis would also print it.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
