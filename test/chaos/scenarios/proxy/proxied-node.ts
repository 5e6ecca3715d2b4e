import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from '../galera/longest-run.js';

const GONE_MS = 8_000;
const FROZEN_SHORT_MS = 12_000;
const FROZEN_LONG_MS = 30_000;

export const proxiedNodeKilled = defineScenario({
  name: 'proxy-node-killed',
  sentence:
    'The node that the proxy uses is killed (-9), and joins again after 8 s; the proxy returns to it.',
  async hurt(world) {
    const { galera } = world.stores;
    const [first] = galera.nodes;
    await first.kill();
    await sleep(GONE_MS);
    await first.start();
    await galera.isWhole();
    return tellLongestRun(world);
  },
});

export const proxiedNodeFrozen = defineScenario({
  name: 'proxy-node-frozen',
  sentence: 'The node that the proxy uses is cut off (SIGSTOP) for 30 s (short: 12 s), and comes back.',
  async hurt(world, { short }) {
    const { galera } = world.stores;
    const [first] = galera.nodes;
    first.freeze();
    await sleep(short ? FROZEN_SHORT_MS : FROZEN_LONG_MS);
    first.thaw();
    await galera.isWhole();
    return tellLongestRun(world);
  },
});
