import { setTimeout as sleep } from 'node:timers/promises';
import { callWebhook } from '../load.js';
import type { Bench, Measure, Product, Row } from '../measure.js';
import { memoryRows, sampleMemory } from '../memory-samples.js';
import { exitEvents } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const MIB = 2 ** 20;
const MOST_REDIS_MIB = 64;
const WORKER = 'workers/all.js';

export const measure: Measure = {
  number: 16,
  sentence: 'promise 7: a backlog of a million deliveries, gathered without workers, worked on for a minute',
  run: (bench) =>
    bench.product({ ...TWO_TEMPLATES, workers: [] }, async (product) => {
      const waiting = bench.quick ? 30_000 : 1_000_000;
      const { redis, samples: gathering } = await redisGrowth(bench, product, () =>
        gather(bench, product, waiting),
      );
      await product.startWorker(WORKER);
      const drain = () => sleep(bench.quick ? 5_000 : 60_000);
      const { redis: later, samples: draining } = await redisGrowth(bench, product, drain);
      return [
        redisRow('gathering', redis),
        redisRow('a minute of work', redis + later),
        row('runs through after that minute', '', await exitEvents(bench.stores, product)),
        ...memoryRows(16, 'gathering', gathering),
        ...memoryRows(16, 'a minute of work', draining),
      ];
    }),
};

async function gather({ folder }: Bench, { webhookUrl }: Product, calls: number): Promise<void> {
  await callWebhook(folder, { url: webhookUrl, connections: 64, calls, body: alertBody() });
}

/** By how much Redis has grown while `work` was going on, in MiB, and the memory of the processes. */
async function redisGrowth({ stores }: Bench, product: Product, work: () => Promise<void>) {
  const before = await stores.redisMemory();
  const samples = await sampleMemory(product, work);
  return { redis: ((await stores.redisMemory()) - before) / MIB, samples };
}

function redisRow(when: string, mib: number): Row {
  return row(`growth of Redis by the end of ${when}`, 'MiB', mib, {
    mustReach: `≤ ${MOST_REDIS_MIB}`,
    verdict: atMost(mib, MOST_REDIS_MIB),
  });
}

function row(
  what: string,
  unit: string,
  product: number,
  aim: Pick<Row, 'mustReach' | 'verdict'> = { verdict: '' },
): Row {
  return { measure: 16, what, unit, product, ...aim };
}
