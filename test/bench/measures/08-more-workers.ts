import { callWebhook } from '../load.js';
import type { Bench, Measure, Row } from '../measure.js';
import { waitForExits } from '../runs.js';
import { callingStory, withTarget } from '../target.js';
import { alertBody } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

/** Long enough that two cores have room for all of them. */
const DELAY_MS = 500;
const WORKERS = [1, 2, 4];
const CONCURRENCY = 50;
const LEAST = 1.8;

export const measure: Measure = {
  number: 8,
  sentence: `workers 1 → 2 → 4 on HTTP actions, each answered after ${DELAY_MS} ms`,
  async run(bench) {
    const rates: number[] = [];
    for (const workers of WORKERS) rates.push(await callsPerSecond(bench, workers));
    return rates.slice(1).map((rate, index) => rowOf(index, rates[index] ?? 0, rate));
  },
};

function callsPerSecond(bench: Bench, workers: number): Promise<number> {
  return withTarget(bench.folder, DELAY_MS, (target) => {
    const files = Array.from({ length: workers }, () => 'workers/http-request.js');
    const options = {
      ...callingStory(target.url),
      workers: ['workers/maintenance.js', ...files],
      env: { WORKER_CONCURRENCY: String(CONCURRENCY) },
    };
    return bench.product(options, async (product) => {
      const seconds = bench.quick ? 5 : 15;
      const calls = (workers * CONCURRENCY * seconds * 1000) / DELAY_MS;
      await callWebhook(bench.folder, {
        url: product.webhookUrl,
        connections: 64,
        calls,
        body: alertBody(),
      });
      await waitForExits(bench.stores, product, calls);
      return (await target.stats()).callsPerSecond;
    });
  });
}

function rowOf(index: number, before: number, after: number): Row {
  const ratio = after / before;
  return {
    measure: 8,
    what: `HTTP actions, ${WORKERS[index + 1]} worker processes (floor: ${WORKERS[index]})`,
    unit: '1/s',
    floor: before,
    product: after,
    ratio,
    mustReach: `≥ ${LEAST} ×`,
    verdict: atLeast(ratio, LEAST),
  };
}
