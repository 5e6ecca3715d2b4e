import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';

const FULL_SHORT_MS = 1_500;
const FULL_LONG_MS = 5_000;
const FREE_MS = 1_500;

export const diskFull = defineScenario({
  name: 'disk-full',
  sentence:
    'MySQL answers every write with the errors of a full disk (1021, 1114, 1026), again and again for a while.',
  proxies: ['mysql-errors'],
  async hurt({ errorProxy }, { short }) {
    for (let round = 0; round < (short ? 2 : 6); round += 1) {
      errorProxy?.setFull(true);
      await sleep(short ? FULL_SHORT_MS : FULL_LONG_MS);
      errorProxy?.setFull(false);
      await sleep(FREE_MS);
    }
    const refused = errorProxy?.refused() ?? 0;
    return () => Promise.resolve(refused > 0 ? [] : ['nothing was refused: nothing was tried']);
  },
});
