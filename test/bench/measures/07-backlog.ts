import { callWebhook } from '../load.js';
import type { Bench, Measure, Product, Row, Verdict } from '../measure.js';
import { memoryRows, sampleMemory } from '../memory-samples.js';
import { waitForExits } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const MOST_REDIS_BYTES = 1024;
const WORKER = 'workers/all.js';

export const measure: Measure = {
  number: 7,
  sentence: 'a backlog of 100,000 deliveries, gathered without workers, drained by one worker process',
  run: (bench) =>
    bench.product({ ...TWO_TEMPLATES, workers: [] }, async (product) => {
      const waiting = bench.quick ? 5_000 : 100_000;
      const redisBytes = await gather(bench, product, waiting);
      const began = Date.now();
      await product.startWorker(WORKER);
      const samples = await sampleMemory(product, () => waitForExits(bench.stores, product, waiting));
      const seconds = (Date.now() - began) / 1000;
      return [
        row('Redis memory for each waiting delivery', 'B', redisBytes, {
          mustReach: `≤ ${MOST_REDIS_BYTES}`,
          verdict: atMost(redisBytes, MOST_REDIS_BYTES),
        }),
        row('runs drained (two hops each)', '1/s', waiting / seconds),
        ...memoryRows(7, 'draining', samples),
      ];
    }),
};

/** Gives the bytes that Redis has for each delivery that waits. */
async function gather({ stores, folder }: Bench, product: Product, waiting: number): Promise<number> {
  const before = await stores.redisMemory();
  const url = product.webhookUrl;
  await callWebhook(folder, { url, connections: 64, calls: waiting, body: alertBody() });
  return Math.max(0, (await stores.redisMemory()) - before) / waiting;
}

function row(
  what: string,
  unit: string,
  product: number,
  aim: { mustReach?: string; verdict: Verdict } = { verdict: '' },
): Row {
  return { measure: 7, what, unit, product, ...aim };
}
