import { setTimeout as sleep } from 'node:timers/promises';
import { emptyFolder } from '../chaos-stores.js';
import { defineScenario } from '../scenario.js';

const PAUSE_MS = 2_000;
const FULL_SHORT_MS = 4_000;
const FULL_LONG_MS = 20_000;
/** Room for a moment, so that Redis runs full while it works. */
const ROOM_BYTES = 512 * 1024;

export const redisFlushed = defineScenario({
  name: 'redis-flushed',
  sentence: 'FLUSHALL at random moments, ten times (short: 3).',
  async hurt({ stores }, { short, random }) {
    for (let flush = 0; flush < (short ? 3 : 10); flush += 1) {
      await stores.redis.flushall();
      await sleep(random.between(300, 2_000));
    }
    return undefined;
  },
});

export const redisEmptied = defineScenario({
  name: 'redis-emptied',
  sentence: 'Redis is killed (-9) and comes back empty.',
  async hurt({ stores }) {
    await stores.redisServer.kill();
    await emptyFolder(stores.redisFolder);
    await sleep(PAUSE_MS);
    await stores.redisServer.process.start();
    return undefined;
  },
});

export const redisRestarted = defineScenario({
  name: 'redis-restarted',
  sentence: 'Redis is killed (-9) and comes back with its AOF.',
  async hurt({ stores }) {
    await stores.redisServer.kill();
    await sleep(PAUSE_MS);
    await stores.redisServer.process.start();
    return undefined;
  },
});

export const redisFull = defineScenario({
  name: 'redis-full',
  sentence: 'Redis refuses writes at maxmemory for 20 s (short: 4 s).',
  async hurt({ stores }, { short }) {
    const used = Number(/used_memory:(\d+)/.exec(await stores.redis.info('memory'))?.[1]);
    await stores.redis.config('SET', 'maxmemory', String(used + ROOM_BYTES));
    await sleep(short ? FULL_SHORT_MS : FULL_LONG_MS);
    const errors = /errorstat_OOM:count=(\d+)/.exec(await stores.redis.info('errorstats'))?.[1];
    await stores.redis.config('SET', 'maxmemory', '0');
    return () => Promise.resolve(errors === undefined ? ['Redis never ran full: nothing was tried'] : []);
  },
});
