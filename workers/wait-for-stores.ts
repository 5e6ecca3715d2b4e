import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../src/errors.js';
import type { CoreServices } from '../src/services.js';

const PAUSE_MS = 500;
/** A store that comes up together with this process is no news. */
const QUIET_MS = 2_000;

/** Resolves when both stores answer; says what it is waiting for. */
export async function waitForStores(services: CoreServices, signal: AbortSignal): Promise<void> {
  const { database, redis, logger } = services;
  await waitFor('the database', () => database.ping(), { logger, signal });
  await waitFor('redis', () => redis.ping(), { logger, signal });
}

async function waitFor(
  name: string,
  ping: () => Promise<unknown>,
  { logger, signal }: { logger: CoreServices['logger']; signal: AbortSignal },
): Promise<void> {
  const speakAt = Date.now() + QUIET_MS;
  let told = false;
  while (!signal.aborted) {
    try {
      await ping();
      if (told) logger.info(`${name} is there`);
      return;
    } catch (error) {
      if (!told && Date.now() > speakAt) {
        told = true;
        logger.warn(`waiting for ${name}`, { error: messageOf(error) });
      }
    }
    await sleep(PAUSE_MS);
  }
}
