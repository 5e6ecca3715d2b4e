import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';
import { slowSyscalls } from '../slow-syscalls.js';
import type { World } from '../world.js';

const SPOOLING_MS = 6_000;
/** Duration of one fsync: longer than Redis holds a write back for it. */
const SLOW_MS = 5_000;
/** With `always` each response waits for one. */
const SLOW_ALWAYS_MS = 150;
/** Redis holds writes back for two seconds while an fsync is under way; the rest is for the way to us. */
const WINDOW_MS = 3_000;

export const redisSlowFsync = defineScenario({
  name: 'redis-slow-fsync',
  sentence:
    'MySQL is away, webhooks go to the spool, every fsync of Redis takes 5 s, and Redis is killed (-9): what is gone was answered in the three seconds before.',
  hurt: (world) => killInSlowFsync(world, 'everysec'),
});

export const redisSlowFsyncAlways = defineScenario({
  name: 'redis-slow-fsync-always',
  sentence: 'The same with `appendfsync always`, and an fsync of 150 ms: nothing is gone.',
  hurt: (world) => killInSlowFsync(world, 'always'),
});

async function killInSlowFsync(world: World, policy: 'everysec' | 'always') {
  const { stores, load } = world;
  const slowMs = policy === 'always' ? SLOW_ALWAYS_MS : SLOW_MS;
  await stores.redis.config('SET', 'appendfsync', policy);
  const slow = await slowSyscalls(stores.redisServer.process.pid ?? 0, ['fsync', 'fdatasync'], slowMs);
  if (typeof slow === 'string') {
    world.remark = `not tried: ${slow}`;
    return undefined;
  }
  await stores.mysql.kill();
  const before = load?.accepted() ?? 0;
  await sleep(SPOOLING_MS);
  const spooled = (load?.accepted() ?? 0) - before;
  const heldBack = Number(/aof_delayed_fsync:(\d+)/.exec(await stores.redis.info('persistence'))?.[1] ?? 0);
  const killedAt = Date.now();
  await stores.redisServer.kill();
  await slow.end();
  // Read again from its file, with the policy that it stands for.
  await stores.redisServer.process.start();
  await stores.mysql.process.start();
  if (policy === 'everysec') {
    world.mayBeGone = ({ answeredAtMs }) => answeredAtMs > killedAt - WINDOW_MS && answeredAtMs <= killedAt;
  }
  return () =>
    Promise.resolve([
      ...(spooled > 0 ? [] : ['nothing was accepted into the spool: nothing was tried']),
      ...(policy === 'always' || heldBack > 0
        ? []
        : ['no write was held back for an fsync: nothing was tried']),
    ]);
}
