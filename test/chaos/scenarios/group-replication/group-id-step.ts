import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from '../galera/longest-run.js';

const SHORT_MS = 10_000;
const LONG_MS = 60_000;
const STEPS = [1, 2, 3, 7, 10];

export const groupIdStep = defineScenario({
  name: 'group-id-step',
  sentence: 'auto_increment_increment of each member is changed by hand several times a second.',
  async hurt(world, { short, random }) {
    const { members } = world.stores.group;
    const until = Date.now() + (short ? SHORT_MS : LONG_MS);
    while (Date.now() < until) {
      const step = random.pick(STEPS);
      for (const member of members) await member.setIdStep(step);
      await sleep(random.between(20, 300));
    }
    for (const member of members) await member.setIdStep(1);
    return tellLongestRun(world);
  },
});
