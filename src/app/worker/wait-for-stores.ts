import { setTimeout as sleep } from 'node:timers/promises';
import { requireSchema } from '../../platform/mysql/schema/migrate.js';
import { noteNewerSchema } from '../../platform/mysql/schema/newer-schema.js';
import { pingRedis } from '../../platform/redis/masters.js';
import { messageOf } from '../../platform/errors.js';
import type { CoreServices } from '../services/core-services.js';

const PAUSE_MS = 500;
/** A store that starts together with this process is not worth a log line. */
const QUIET_MS = 2_000;

/**
 * Resolves when both stores respond and the schema has everything that this version writes to; logs what it waits for. A
 * worker that started before its migrations would turn the work it cannot store into dead letters.
 */
export async function waitForStores(services: CoreServices, signal: AbortSignal): Promise<void> {
  const { database, redis, logger } = services;
  await waitFor('the database', () => database.ping(), { logger, signal });
  await waitFor('redis', () => pingRedis(redis), { logger, signal });
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
      if (told) logger.info(`${name} is available`);
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
