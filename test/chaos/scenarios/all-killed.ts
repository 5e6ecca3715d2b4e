import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESS_NAMES } from '../process-group.js';
import { defineScenario } from '../scenario.js';

const SHORT_KILLS = 1;
const LONG_KILLS = 5;
const LONG_KILLS_WITH_STORES = 3;

export const allKilled = defineScenario({
  name: 'all-killed',
  sentence: 'SIGKILL of all processes at the same moment, five times (short: once).',
  async hurt({ group }, { short, random }) {
    for (let kill = 0; kill < (short ? SHORT_KILLS : LONG_KILLS); kill += 1) {
      await Promise.all(PROCESS_NAMES.map((name) => group.kill(name)));
      await sleep(random.between(3_000, 6_000));
    }
    return undefined;
  },
});

export const everythingKilled = defineScenario({
  name: 'everything-killed',
  sentence:
    'SIGKILL of all processes and of both stores at the same moment, three times (short: once): what was answered holds.',
  async hurt({ group, stores }, { short, random }) {
    for (let kill = 0; kill < (short ? SHORT_KILLS : LONG_KILLS_WITH_STORES); kill += 1) {
      const killed = [stores.mysql.kill(), stores.redisServer.kill()];
      await Promise.all([...killed, ...PROCESS_NAMES.map((name) => group.kill(name))]);
      await Promise.all([stores.mysql.process.start(), stores.redisServer.process.start()]);
      await group.ready('web');
      await sleep(random.between(3_000, 6_000));
    }
    return undefined;
  },
});
