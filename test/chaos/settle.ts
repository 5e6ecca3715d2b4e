import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { askMasters } from '../../src/platform/redis/masters.js';
import { isTransient } from '../../src/platform/mysql/db-errors.js';
import { QUEUES, SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { makeDue, type Progress, readProgress } from './check-store.js';
import type { World } from './world.js';
import { queueNamed } from '../support/queue-named.js';

const POLL_MS = 200;
/** Nothing at all has happened for this long: it hangs. */
const STILL_LIMIT_MS = 90_000;
const LIMIT_MS = 15 * 60_000;
/** Jobs whose delivery is done already may still be taken up, and put down. */
const QUEUES_LIMIT_MS = 60_000;

/** Waits until no work is open; gives a sentence when that never happens. */
export async function settle(world: World, { hurry }: { hurry: boolean }): Promise<string | undefined> {
  const began = Date.now();
  let movedAt = Date.now();
  let before = '';
  for (;;) {
    const progress = await progressOf(world);
    if (progress !== undefined && progress.open === 0 && progress.spooled === 0) return undefined;
    if (hurry && progress !== undefined) await makeDue(world.stores.db);
    const now = JSON.stringify(progress);
    if (now !== before) movedAt = Date.now();
    before = now;
    if (Date.now() - movedAt > STILL_LIMIT_MS) return `stands still: ${now}`;
    if (Date.now() - began > LIMIT_MS) return `not through after ${LIMIT_MS / 60_000} minutes: ${now}`;
    await sleep(POLL_MS);
  }
}

/** Undefined: a store is not there yet. */
async function progressOf(world: World): Promise<(Progress & { spooled: number }) | undefined> {
  // The spool first: what leaves it meanwhile is found in the database.
  const spooled = await queueNamed(world.queues, SPOOL_QUEUE).getJobCountByTypes('wait', 'active');
  try {
    return { ...(await readProgress(world.stores.db)), spooled };
  } catch (error) {
    if (!isTransient(error)) throw error;
    return undefined;
  }
}

/** Jobs that still wait in Redis, or are locked there; none is right. */
export async function leftInRedis(world: World): Promise<string[]> {
  const deadline = Date.now() + QUEUES_LIMIT_MS;
  for (;;) {
    const left = await countLeft(world);
    if (left.length === 0 || Date.now() > deadline) return left;
    await sleep(POLL_MS);
  }
}

async function countLeft({ queues, stores }: World): Promise<string[]> {
  const left: string[] = [];
  for (const name of QUEUES) {
    const counts = await queueNamed(queues, name).getJobCounts('wait', 'active', 'delayed', 'prioritized');
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    if (sum > 0) left.push(`${name} has jobs left: ${JSON.stringify(counts)}`);
  }
  const locks = await askMasters(stores.redis, countLocks);
  const sum = locks.reduce((total, count) => total + count, 0);
  return sum === 0 ? left : [...left, `${sum} jobs are locked`];
}

async function countLocks(server: Redis): Promise<number> {
  let count = 0;
  for await (const keys of server.scanStream({ match: '*:lock', count: 1000 })) {
    count += (keys as string[]).length;
  }
  return count;
}
