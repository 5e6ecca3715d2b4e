import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from './longest-run.js';

const SHORT_MS = 10_000;
const LONG_MS = 60_000;
/** Multiples of the number of nodes, so that with an offset of its own no node gives an id of another one. */
const STEPS = [3, 6, 9, 12];

export const idStepChanged = defineScenario({
  name: 'galera-id-step',
  sentence: 'auto_increment_increment of each node is changed by hand several times a second.',
  async hurt(world, { short, random }) {
    const { nodes } = world.stores.galera;
    const until = Date.now() + (short ? SHORT_MS : LONG_MS);
    while (Date.now() < until) {
      const step = random.pick(STEPS);
      for (const [index, node] of nodes.entries()) await node.setIdStep(step, index + 1);
      await sleep(random.between(20, 300));
    }
    for (const node of nodes) await node.freeIdStep();
    return tellLongestRun(world);
  },
});
