import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../../scenario.js';
import { tellLongestRun } from '../galera/longest-run.js';

const GONE_SHORT_MS = 5_000;
const GONE_LONG_MS = 30_000;
const CUTS_SHORT = 5;
const CUTS_LONG = 30;

export const proxyKilled = defineScenario({
  name: 'proxy-killed',
  sentence: 'The proxy is killed (-9), and starts again after 30 s (short: 5 s).',
  async hurt(world, { short }) {
    const { proxy } = world.stores;
    await proxy.kill();
    await sleep(short ? GONE_SHORT_MS : GONE_LONG_MS);
    await proxy.start();
    return tellLongestRun(world);
  },
});

export const proxyConnectionsCut = defineScenario({
  name: 'proxy-connections-cut',
  sentence: 'The proxy cuts all connections, 30 times (short: 5) within seconds; new ones work.',
  async hurt(world, { short, random }) {
    const { proxy } = world.stores;
    for (let cuts = short ? CUTS_SHORT : CUTS_LONG; cuts > 0; cuts -= 1) {
      await proxy.cutAll();
      await sleep(random.between(200, 2_000));
    }
    return tellLongestRun(world);
  },
});
