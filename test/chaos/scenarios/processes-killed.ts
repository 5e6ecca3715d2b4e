import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESS_NAMES } from '../process-group.js';
import { defineScenario } from '../scenario.js';

const SHORT_KILLS = 3;
const LONG_KILLS = 50;

export const processesKilled = defineScenario({
  name: 'processes-killed',
  sentence: 'SIGKILL of every kind of process in turn, at random moments, 50 times (short: 3).',
  async hurt({ group }, { short, random }) {
    // The hot ones first, so that the short form meets them too.
    const order = [
      ...random.shuffle(['web', 'event-transformation', 'http-request'] as const),
      ...random.shuffle(PROCESS_NAMES),
    ];
    for (let kill = 0; kill < (short ? SHORT_KILLS : LONG_KILLS); kill += 1) {
      const victim = order[kill % order.length] ?? 'web';
      await group.kill(victim);
      // Without it there is no load.
      if (victim === 'web') await group.ready('web');
      await sleep(random.between(100, 1_500));
    }
    return undefined;
  },
});
