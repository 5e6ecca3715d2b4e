import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { databaseNow, tellLongestRun } from './longest-run.js';

const SHORT_MS = 10_000;
const LONG_MS = 60_000;

export const lagging = defineScenario({
  name: 'galera-lagging',
  sentence: 'The node that workers use applies nothing for up to half a second, over and over.',
  async hurt(world, { short, random }) {
    const [, second] = world.stores.galera.nodes;
    const began = await databaseNow(world);
    const until = Date.now() + (short ? SHORT_MS : LONG_MS);
    while (Date.now() < until) {
      await second.whileHeldBack(() => sleep(random.between(50, 500)));
      await sleep(random.between(50, 500));
    }
    return tellLongestRun(world, began);
  },
});
