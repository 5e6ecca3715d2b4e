import path from 'node:path';
import { type Config, readConfig, storesGiven, withSecretsOfFiles } from '../../config/face.js';
import { readJsonFile } from '../embedded/private-file.js';
import { readStart } from './start/start-record.js';

/** The configuration of a command. */
export interface CliConfig extends Config {
  /** False: no Redis is named, and the address of one is a placeholder. Commands need none. */
  hasRedis: boolean;
}

/**
 * Returns the configuration of a command. If the environment names no database, the command uses the stores and the
 * encryption key of the `npm start` that runs on `DATA_DIR`.
 * @throws Error that says how to name a database.
 */
export async function cliConfig(environment: NodeJS.ProcessEnv): Promise<CliConfig> {
  const env = await startedEnvironment(environment);
  const given = storesGiven(env);
  if (given.database) return configWith(env, given.redis);
  const { ENCRYPTION_KEY, DATABASE_URL, REDIS_URL } = await runningStart(env.DATA_DIR || '.data');
  const hasOwn = !given.redis && REDIS_URL !== undefined;
  const stores = { DATABASE_URL, ...(hasOwn && { REDIS_URL }) };
  // Like in `npm start`, a key in the environment overrides the key stored in the data folder.
  const complete = { ...env, ...stores, ENCRYPTION_KEY: env.ENCRYPTION_KEY || ENCRYPTION_KEY };
  return configWith(complete, given.redis || hasOwn);
}

/** The configuration requires an address of Redis. */
function configWith(env: NodeJS.ProcessEnv, hasRedis: boolean): CliConfig {
  return { ...readConfig(hasRedis ? env : { ...env, REDIS_URL: 'redis://127.0.0.1' }), hasRedis };
}

/** Returns the configuration of a command that opens no store; the two addresses are placeholders. */
export function offlineConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig({ ...env, DATABASE_URL: 'mysql://127.0.0.1', REDIS_URL: 'redis://127.0.0.1' });
}

/**
 * Returns the environment of a command that needs both stores: as given, or with the stores and the encryption key of the
 * `npm start` that runs on `DATA_DIR`.
 * @throws ConfigError for a secret whose file gives none; Error that says how to name a database.
 */
export async function environmentWithStores(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const env = await startedEnvironment(environment);
  const given = storesGiven(env);
  if (given.database && given.redis) return env;
  const { DATABASE_URL, REDIS_URL, ENCRYPTION_KEY } = await runningStart(env.DATA_DIR || '.data');
  return {
    ...env,
    ...(!given.database && { DATABASE_URL }),
    ...(!given.redis && { REDIS_URL }),
    ENCRYPTION_KEY: env.ENCRYPTION_KEY || ENCRYPTION_KEY,
  };
}

/**
 * Returns the environment with the settings of the `npm start` that runs on `DATA_DIR`, unless it names a database: commands
 * see what the running server has (mail server, origins, names of queues). Given values override them.
 * @throws ConfigError for a secret whose file gives none.
 */
export async function startedEnvironment(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const env = withSecretsOfFiles(environment);
  if (storesGiven(env).database) return env;
  const dataDir = env.DATA_DIR || '.data';
  const key = env.ENCRYPTION_KEY || storedKey(dataDir);
  const { encryptionKey } = offlineConfig({ ENCRYPTION_KEY: key });
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return { ...(await readStart(dataDir, encryptionKey)), ...given };
}

function storedKey(dataDir: string): string | undefined {
  const secrets = readJsonFile(path.join(dataDir, 'secrets.json'));
  const key = (secrets as { ENCRYPTION_KEY?: unknown } | undefined)?.ENCRYPTION_KEY;
  return typeof key === 'string' ? key : undefined;
}

async function runningStart(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const { readRunningStores } = await import('../embedded/stores.js');
  const running = await readRunningStores(dataDir);
  if (running?.databaseUrl === undefined) {
    throw new Error(
      `no database: set DATABASE_URL, or run "npm start" (no server is running on ${path.resolve(dataDir)})`,
    );
  }
  const key = storedKey(dataDir);
  return {
    DATABASE_URL: running.databaseUrl,
    ...(running.redisUrl !== undefined && { REDIS_URL: running.redisUrl }),
    ...(key !== undefined && { ENCRYPTION_KEY: key }),
  };
}
