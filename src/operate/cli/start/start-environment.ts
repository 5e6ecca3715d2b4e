import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Config, readConfig, storesGiven, withSecretsOfFiles } from '../../../config/face.js';
import { readJsonFile, writePrivateJson } from '../../embedded/private-file.js';
import type { EmbeddedStores } from '../../embedded/stores.js';
import { boardPort, publicPort } from './start-ports.js';

/** Secrets generated at the first start. Later starts reuse them from `$DATA_DIR/secrets.json` (mode 0600). */
interface Generated {
  ADMIN_USER: string;
  ADMIN_PASSWORD: string;
  ENCRYPTION_KEY: string;
}

/** Settings of `npm start` that are known before a store runs. */
export interface StartPlan {
  /** The given environment plus the defaults of `npm start`; given values override defaults. */
  env: NodeJS.ProcessEnv;
  /** Read from `env`; the addresses of embedded stores are placeholders in it. */
  config: Config;
  needDatabase: boolean;
  needRedis: boolean;
}

/**
 * Adds the defaults of `npm start` to the environment. Writes no file.
 * @throws ConfigError that names every invalid variable.
 */
export async function planStart(environment: NodeJS.ProcessEnv): Promise<StartPlan> {
  const given = withSecretsOfFiles(environment);
  const stores = storesGiven(given);
  const set = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  );
  const placeholders = {
    ...(stores.database ? {} : { DATABASE_URL: 'mysql://127.0.0.1' }),
    ...(stores.redis ? {} : { REDIS_URL: 'redis://127.0.0.1' }),
  };
  const env: NodeJS.ProcessEnv = { HOST: '127.0.0.1', NODE_ENV: 'production', ...set };
  const first = readConfig({ ...env, ...placeholders });
  // Child processes may have another working folder, and the supervisor must know the actual port.
  env.DATA_DIR = first.dataDir;
  const port = await publicPort(first.port);
  env.PORT = String(port);
  const adminPort = await boardPort({ ...first, port }, set['ADMIN_PORT'] !== undefined);
  if (adminPort !== undefined) env.ADMIN_PORT = String(adminPort);
  const config = readConfig({ ...env, ...placeholders });
  return { env, config, needDatabase: !stores.database, needRedis: !stores.redis };
}

/**
 * Returns the environment of the child processes: the plan's environment, the addresses of the stores, and the
 * generated secrets. The caller must hold the lock of the data folder.
 */
export function completeEnvironment(
  { env, config }: StartPlan,
  stores: Pick<EmbeddedStores, 'localDatabaseUrl' | 'redisUrl'>,
): NodeJS.ProcessEnv {
  return {
    ...generated(config.dataDir),
    ...env,
    ...(stores.localDatabaseUrl !== undefined && { DATABASE_URL: stores.localDatabaseUrl }),
    ...(stores.redisUrl !== undefined && { REDIS_URL: stores.redisUrl }),
  };
}

function generated(dataDir: string): Generated {
  const file = path.join(dataDir, 'secrets.json');
  const stored = readJsonFile(file);
  if (isGenerated(stored)) return stored;
  // Never replace the file silently: data encrypted with its key would be lost.
  if (stored !== undefined)
    throw new Error(`${file} must contain ADMIN_USER, ADMIN_PASSWORD and ENCRYPTION_KEY`);
  const made = {
    ADMIN_USER: 'admin',
    ADMIN_PASSWORD: randomBytes(12).toString('base64url'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  };
  writePrivateJson(file, made);
  return made;
}

function isGenerated(value: unknown): value is Generated {
  if (typeof value !== 'object' || value === null) return false;
  const { ADMIN_USER, ADMIN_PASSWORD, ENCRYPTION_KEY } = value as Partial<Generated>;
  return [ADMIN_USER, ADMIN_PASSWORD, ENCRYPTION_KEY].every(
    (text) => typeof text === 'string' && text !== '',
  );
}
