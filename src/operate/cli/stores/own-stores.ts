import path from 'node:path';
import { storesGiven, withSecretsOfFiles } from '../../../config/face.js';
import { environmentWithStores } from '../cli-environment.js';

/**
 * Runs work with the environment of both stores: as given, those of the `npm start` that runs on `DATA_DIR`, or else the
 * embedded ones of `DATA_DIR`, which are started for the work and stopped again. `say` gets a line for each step.
 * @throws AlreadyRunning if a start begins at this moment; Error if a store does not start.
 */
export async function withOwnStores<Result>(
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const env = withSecretsOfFiles(environment);
  const { readRunningStores, startEmbeddedStores } = await import('../../embedded/stores.js');
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  if (storesGiven(env).database || (await readRunningStores(dataDir)) !== undefined)
    return work(await environmentWithStores(environment));
  const { takeRunLock } = await import('../../embedded/run-lock.js');
  const { completeEnvironment, planStart } = await import('../start/start-environment.js');
  const { createConfirmInstall } = await import('../start/confirm-install.js');
  const confirmInstall = createConfirmInstall({ yes: false, signal: new AbortController().signal });
  const plan = await planStart(env);
  const unlock = await takeRunLock(path.join(dataDir, 'run', 'start.lock'));
  try {
    const { needDatabase, needRedis } = plan;
    const stores = await startEmbeddedStores({
      dataDir,
      needDatabase,
      needRedis,
      log: say,
      env: plan.env,
      confirmInstall,
    });
    try {
      return await work(completeEnvironment(plan, stores));
    } finally {
      await stores.stop();
    }
  } finally {
    unlock();
  }
}
