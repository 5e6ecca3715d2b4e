import { setTimeout as sleep } from 'node:timers/promises';
import { SPOOL_QUEUE } from '../../../src/engine/dispatch/jobs.js';
import { eventually } from '../../support/eventually.js';
import type { RedisServer } from '../../support/redis-server.js';
import type { ServersUnderTest } from '../../support/servers-under-test.js';
import type { Randomness } from '../randomness.js';
import { defineScenario } from '../scenario.js';
import type { World } from '../world.js';

const LIMIT_MS = 90_000;
/** The load goes on this long after a replica took over, before the old master returns. */
const PAUSE_MS = 3_000;
const SPOOLING_MS = 6_000;
const FROZEN_SHORT_MS = 10_000;
const FROZEN_LONG_MS = 30_000;

export const redisMasterKilled = defineScenario({
  name: 'redis-master-killed',
  sentence: 'A master of Redis is killed (-9), comes back as a replica; three times (short: once).',
  async hurt(world, { short, random }) {
    const servers = serversOf(world);
    for (let time = 0; time < (short ? 1 : 3); time += 1)
      await replace(servers, await anyOf(servers, random));
    return undefined;
  },
});

export const redisMastersKilledInTurn = defineScenario({
  name: 'redis-masters-killed-in-turn',
  sentence: 'Every master of Redis is killed (-9), one after the other, each when the one before is back.',
  async hurt(world) {
    const servers = serversOf(world);
    for (const victim of await servers.masters()) await replace(servers, victim);
    return undefined;
  },
});

export const redisMasterFrozen = defineScenario({
  name: 'redis-master-frozen',
  sentence: 'SIGSTOP of a master of Redis, as if it were cut off, for 30 s (short: 10 s); then SIGCONT.',
  async hurt(world, { short, random }) {
    const servers = serversOf(world);
    const victim = await anyOf(servers, random);
    victim.freeze();
    try {
      await Promise.all([replaced(servers, victim), sleep(short ? FROZEN_SHORT_MS : FROZEN_LONG_MS)]);
    } finally {
      victim.thaw();
    }
    await eventually(() => servers.isWhole(), LIMIT_MS);
    return undefined;
  },
});

export const redisMasterKilledSpooling = defineScenario({
  name: 'redis-master-killed-spooling',
  sentence:
    'MySQL is away, webhooks go to the spool, and the master that holds it is killed (-9): what was accepted is there.',
  async hurt(world) {
    const { stores, load } = world;
    const servers = serversOf(world);
    await stores.mysql.kill();
    const before = load?.accepted() ?? 0;
    await sleep(SPOOLING_MS);
    const spooled = (load?.accepted() ?? 0) - before;
    await replace(servers, await holderOfSpool(servers));
    await stores.mysql.process.start();
    return () =>
      Promise.resolve(spooled > 0 ? [] : ['nothing was accepted into the spool: nothing was tried']);
  },
});

async function holderOfSpool(servers: ServersUnderTest): Promise<RedisServer> {
  for (const master of await servers.masters()) {
    if ((await master.client.keys(`*${SPOOL_QUEUE}*`)).length > 0) return master;
  }
  throw new Error('No master holds the spool');
}

/** Kills a master, waits until a replica has taken over, and starts it again. */
async function replace(servers: ServersUnderTest, victim: RedisServer): Promise<void> {
  await victim.kill();
  await replaced(servers, victim);
  await sleep(PAUSE_MS);
  await victim.start();
  await eventually(() => servers.isWhole(), LIMIT_MS);
}

async function replaced(servers: ServersUnderTest, victim: RedisServer): Promise<void> {
  const others = async () => (await servers.masters()).filter((master) => master !== victim).length;
  await eventually(async () => (await others()) >= servers.expectedMasters, LIMIT_MS);
}

async function anyOf(servers: ServersUnderTest, random: Randomness): Promise<RedisServer> {
  return random.pick(await servers.masters());
}

function serversOf({ stores }: World): ServersUnderTest {
  if (stores.redisServers === undefined) throw new Error('This scenario needs several Redis servers');
  return stores.redisServers;
}
