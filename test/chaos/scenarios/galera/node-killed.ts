import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from './longest-run.js';

const GONE_MS = 8_000;

export const nodeKilled = defineScenario({
  name: 'galera-node-killed',
  sentence:
    'The node that workers use, and (not in the short form) that of the web process, is killed (-9) and joins again.',
  async hurt(world, { short }) {
    const { galera } = world.stores;
    const [first, second] = galera.nodes;
    for (const node of short ? [second] : [second, first]) {
      await node.kill();
      await sleep(GONE_MS);
      await node.start();
      await galera.isWhole();
    }
    return tellLongestRun(world);
  },
});
