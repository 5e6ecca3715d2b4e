import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';

/** After five seconds without a word the others go on without a node. */
const SHORT_MS = 10_000;
const LONG_MS = 30_000;

export const partition = defineScenario({
  name: 'galera-partition',
  sentence: 'The node that the web process uses is cut off (SIGSTOP) for 30 s (short: 10 s), and comes back.',
  async hurt({ stores: { galera } }, { short }) {
    const [first] = galera.nodes;
    first.freeze();
    await sleep(short ? SHORT_MS : LONG_MS);
    first.thaw();
    await galera.isWhole();
    return undefined;
  },
});
