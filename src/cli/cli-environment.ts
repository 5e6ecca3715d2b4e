import path from 'node:path';
import { type Config, readConfig, storesGiven } from '../config/config.js';

/**
 * The configuration of a command: the environment's, or, where it names no database, that of the `npm start`
 * that runs on `DATA_DIR`, with the key its credentials are encrypted with. Commands need no Redis.
 * @throws Error that says how to name a database.
 */
export async function cliConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const given = storesGiven(env);
  // Redis is not spoken to; the address only completes the configuration.
  const complete = given.redis ? env : { ...env, REDIS_URL: 'redis://127.0.0.1' };
  if (given.database) return readConfig(complete);
  const { ENCRYPTION_KEY, ...running } = await runningStart(env.DATA_DIR || '.data');
  // As at that start: a key in the environment goes before the one that is kept in the data folder.
  return readConfig({ ...complete, ...running, ENCRYPTION_KEY: env.ENCRYPTION_KEY || ENCRYPTION_KEY });
}

/** The configuration of a command that opens no store; the two addresses only complete it. */
export function offlineConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig({ ...env, DATABASE_URL: 'mysql://127.0.0.1', REDIS_URL: 'redis://127.0.0.1' });
}

async function runningStart(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const { readRunningStores } = await import('../embedded/stores.js');
  const running = await readRunningStores(dataDir);
  if (running?.databaseUrl === undefined) {
    throw new Error(
      `no database: set DATABASE_URL, or run "npm start" (nothing is running on ${path.resolve(dataDir)})`,
    );
  }
  const { readJsonFile } = await import('../embedded/private-file.js');
  const secrets = readJsonFile(path.join(dataDir, 'secrets.json'));
  const key = (secrets as { ENCRYPTION_KEY?: string } | undefined)?.ENCRYPTION_KEY;
  return { DATABASE_URL: running.databaseUrl, ...(typeof key === 'string' && { ENCRYPTION_KEY: key }) };
}
