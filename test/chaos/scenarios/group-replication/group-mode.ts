import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from '../galera/longest-run.js';

const PAUSE_SHORT_MS = 4_000;
const PAUSE_LONG_MS = 20_000;

export const groupModeSwitched = defineScenario({
  name: 'group-mode-switched',
  sentence:
    'All members become primaries, which changes the step of ids; then another one alone is the primary.',
  async hurt(world, { short }) {
    const { group } = world.stores;
    const before = await group.primary();
    await group.toMultiPrimary();
    await sleep(short ? PAUSE_SHORT_MS : PAUSE_LONG_MS);
    const other = group.members.find((member) => member !== before) ?? before;
    await group.toSinglePrimary(other);
    await sleep(short ? PAUSE_SHORT_MS : PAUSE_LONG_MS);
    await group.isWhole();
    return tellLongestRun(world);
  },
});
