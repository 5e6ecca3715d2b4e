import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';

const GONE_SHORT_MS = 8_000;
const GONE_LONG_MS = 60_000;

export const mysqlRestarted = defineScenario({
  name: 'mysql-restarted',
  sentence: 'MySQL is stopped and started, then killed (-9) and started.',
  async hurt({ stores }) {
    await stores.mysql.process.restart();
    await sleep(1_000);
    await stores.mysql.kill();
    await stores.mysql.process.start();
    return undefined;
  },
});

export const mysqlGone = defineScenario({
  name: 'mysql-gone',
  sentence: 'MySQL is killed (-9) and stays away for 60 s (short: 8 s); webhooks go on being accepted.',
  async hurt({ stores, load }, { short }) {
    await stores.mysql.kill();
    const before = load?.accepted() ?? 0;
    await sleep(short ? GONE_SHORT_MS : GONE_LONG_MS);
    const meanwhile = (load?.accepted() ?? 0) - before;
    await stores.mysql.process.start();
    return () =>
      Promise.resolve(
        meanwhile > 0
          ? []
          : ['no webhook was accepted while MySQL was away, though Redis was there (promise 5)'],
      );
  },
});
