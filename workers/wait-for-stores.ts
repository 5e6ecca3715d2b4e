import { setTimeout as sleep } from 'node:timers/promises';
import { requireSchema } from '../src/platform/mysql/migrate.js';
import { noteNewerSchema } from '../src/platform/mysql/newer-schema.js';
import { messageOf } from '../src/platform/errors.js';
import type { CoreServices } from '../src/app/services.js';

const PAUSE_MS = 500;
/** A store that comes up together with this process is no news. */
const QUIET_MS = 2_000;

/**
 * Resolves when both stores answer and the database has all that this version writes to; says what it is waiting for. A
 * worker that began before its migrations would make dead letters of what it cannot store.
 */
export async function waitForStores(services: CoreServices, signal: AbortSignal): Promise<void> {
  const { database, redis, logger } = services;
  await waitFor('the database', () => database.ping(), { logger, signal });
  await waitFor('redis', () => redis.ping(), { logger, signal });
  await waitFor('the schema', () => requireSchema(database.knex), { logger, signal });
  if (!signal.aborted) await noteNewerSchema(database, logger);
}

async function waitFor(
  name: string,
  ping: () => Promise<unknown>,
  { logger, signal }: { logger: CoreServices['logger']; signal: AbortSignal },
): Promise<void> {
  const speakAt = performance.now() + QUIET_MS;
  let told = false;
  while (!signal.aborted) {
    try {
      await ping();
      if (told) logger.info(`${name} is there`);
      return;
    } catch (error) {
      if (!told && performance.now() > speakAt) {
        told = true;
        logger.warn(`waiting for ${name}`, { error: messageOf(error) });
      }
    }
    await sleep(PAUSE_MS);
  }
}
