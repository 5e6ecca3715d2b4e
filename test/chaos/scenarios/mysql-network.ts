import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';

const COMMIT_PAUSE_MS = 150;

export const connectionsCut = defineScenario({
  name: 'connections-cut',
  sentence: 'All connections to MySQL break, in the middle of whatever they do, 60 times (short: 10).',
  proxies: ['mysql'],
  async hurt({ mysqlProxy }, { short, random }) {
    for (let cut = 0; cut < (short ? 10 : 60); cut += 1) {
      mysqlProxy?.drop();
      await sleep(random.between(100, 800));
    }
    return undefined;
  },
});

export const commitAnswersLost = defineScenario({
  name: 'commit-answers-lost',
  sentence: 'MySQL commits, but the connection breaks instead of bringing the answer, 200 times (short: 20).',
  proxies: ['mysql'],
  async hurt({ mysqlProxy }, { short }) {
    for (let cut = 0; cut < (short ? 20 : 200); cut += 1) {
      mysqlProxy?.swallowCommits(1);
      await sleep(COMMIT_PAUSE_MS);
    }
    mysqlProxy?.swallowCommits(0);
    const lost = mysqlProxy?.swallowed() ?? 0;
    return () => Promise.resolve(lost > 0 ? [] : ['no answer was lost: nothing was tried']);
  },
});
