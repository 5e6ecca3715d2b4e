import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import type { StoreHandle } from '../chaos-stores.js';
import { PROCESS_NAMES } from '../process-group.js';
import { defineScenario } from '../scenario.js';
import type { World } from '../world.js';

const AWAY_MS = 5_000;
const START_LIMIT_MS = 60_000;
/** Messages of processes that miss a store: workers, and the web process. */
const SAYINGS = {
  database: ['waiting for the database', 'the database does not respond'],
  redis: ['waiting for redis', 'redis is out of reach'],
} as const;

export const startedWithoutStores = defineScenario({
  name: 'started-without-stores',
  sentence:
    'All processes are killed (-9) while MySQL is away, then while Redis is: those that start say so, wait, and do not end.',
  async hurt(world) {
    const { mysql, redisServer } = world.stores;
    const failures = [
      ...(await startWithout(world, 'database', mysql)),
      ...(await startWithout(world, 'redis', redisServer)),
    ];
    return () => Promise.resolve(failures);
  },
});

/** Gives what did not hold. The store is there again afterwards. */
async function startWithout(world: World, name: keyof typeof SAYINGS, store: StoreHandle): Promise<string[]> {
  const { group } = world;
  await store.kill();
  await Promise.all(PROCESS_NAMES.map((process) => group.kill(process)));
  const silent = () => PROCESS_NAMES.filter((process) => !saysThat(world, process, SAYINGS[name]));
  await eventually(() => silent().length === 0, START_LIMIT_MS).catch(() => undefined);
  const mute = silent();
  const endsBefore = group.ends();
  await sleep(AWAY_MS);
  const status = await readiness(world);
  const ends = group.ends() - endsBefore;
  await store.process.start();
  await Promise.all(PROCESS_NAMES.map((process) => group.ready(process)));
  return [
    ...(mute.length === 0 ? [] : [`without the ${name}, ${mute.join(', ')} said nothing of it`]),
    ...(ends === 0 ? [] : [`without the ${name}, ${ends} processes ended`]),
    ...(status === 503 ? [] : [`without the ${name}, /readyz answered ${status}`]),
  ];
}

function saysThat(
  { group }: World,
  process: (typeof PROCESS_NAMES)[number],
  words: readonly string[],
): boolean {
  const output = group.outputOf(process);
  return words.some((word) => output.includes(word));
}

/** The status of `/readyz`; 0 for no response. */
async function readiness({ url }: World): Promise<number> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
}
