import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';

const SHORT_MS = 5_000;
const LONG_MS = 20_000;
/** So long after it has stopped, everybody knows that MySQL does not answer. */
const FOUND_OUT_MS = 2_500;
/** Left of the time at the end, so that what is counted cannot be what came after it. */
const AT_LEAST_MS = 300;
const lengthOf = (short: boolean): number => (short ? SHORT_MS : LONG_MS);

export const redisFrozen = defineScenario({
  name: 'redis-frozen',
  sentence: 'SIGSTOP of Redis for 20 s (short: 5 s), then SIGCONT.',
  async hurt({ stores }, { short }) {
    await stores.redisServer.freeze(lengthOf(short));
    return undefined;
  },
});

export const mysqlFrozen = defineScenario({
  name: 'mysql-frozen',
  sentence:
    'SIGSTOP of MySQL for 20 s (short: 5 s), then SIGCONT: webhooks are accepted meanwhile, into the spool.',
  async hurt({ stores, load }, { short }) {
    const frozen = stores.mysql.freeze(lengthOf(short));
    await sleep(FOUND_OUT_MS);
    const before = load?.accepted() ?? 0;
    await sleep(lengthOf(short) - FOUND_OUT_MS - AT_LEAST_MS);
    const meanwhile = (load?.accepted() ?? 0) - before;
    await frozen;
    return () =>
      Promise.resolve(
        meanwhile > 0 ? [] : ['no webhook was accepted while MySQL did not answer (promise 5)'],
      );
  },
});

export const workerFrozen = defineScenario({
  name: 'worker-frozen',
  sentence: 'SIGSTOP of two workers for 20 s (short: 5 s), then SIGCONT: their jobs have been given away.',
  async hurt({ group }, { short }) {
    const victims = ['event-transformation', 'http-request'] as const;
    for (const name of victims) group.signal(name, 'SIGSTOP');
    await sleep(lengthOf(short));
    for (const name of victims) group.signal(name, 'SIGCONT');
    return undefined;
  },
});
