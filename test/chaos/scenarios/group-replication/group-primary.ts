import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from '../galera/longest-run.js';

const GONE_MS = 8_000;
/** After five seconds without a word the others go on without a member. */
const FROZEN_SHORT_MS = 15_000;
const FROZEN_LONG_MS = 40_000;

export const groupPrimaryKilled = defineScenario({
  name: 'group-primary-killed',
  sentence:
    'The primary is killed (-9), another one is elected, and it joins again; three times (short: once).',
  async hurt(world, { short }) {
    const { group } = world.stores;
    for (let time = 0; time < (short ? 1 : 3); time += 1) {
      const primary = await group.primary();
      await primary.kill();
      await sleep(GONE_MS);
      await primary.start();
      await group.isWhole();
    }
    return tellLongestRun(world);
  },
});

export const groupPartition = defineScenario({
  name: 'group-partition',
  sentence: 'The primary is cut off (SIGSTOP) for 40 s (short: 15 s): it is expelled, and joins again.',
  async hurt(world, { short }) {
    const { group } = world.stores;
    const primary = await group.primary();
    primary.freeze();
    await sleep(short ? FROZEN_SHORT_MS : FROZEN_LONG_MS);
    primary.thaw();
    await group.isWhole();
    return tellLongestRun(world);
  },
});
