import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../figures.js';
import { callWebhook } from '../load.js';
import type { Bench, Measure, Product } from '../measure.js';
import { timesOf } from '../quiet-runs.js';
import { waitForExits } from '../runs.js';
import { alertBody, TWO_TEMPLATES, twoTemplates } from '../two-templates.js';
import { atMost } from '../verdicts.js';

/** Promise 6: p95 under the flood is at most the larger of these. */
const MOST = { times: 3, ms: 250 };
const CONNECTIONS = 64;
const SHARE = 0.95;

export const measure: Measure = {
  number: 15,
  sentence: 'promise 6: 50,000 events are poured into one story; another one of the same tenant goes on',
  run: (bench) =>
    bench.product(TWO_TEMPLATES, async (product) => {
      const second = twoTemplates('beside');
      const quiet = { ...(await product.importStory(second.story, second.exit)), schema: product.schema };
      // To warm up.
      await timesOf(bench, quiet, () => sleep(bench.quick ? 2_000 : 5_000));
      const alone = await timesOf(bench, quiet, () => sleep(bench.quick ? 3_000 : 15_000));
      const flooded = await timesOf(bench, quiet, () => flood(bench, product));
      const before = quantile(alone, SHARE);
      const most = Math.max(MOST.times * before, MOST.ms);
      const row = { measure: 15, unit: 'ms', verdict: '' } as const;
      return [
        { ...row, what: `webhook to exit, p50, alone (${alone.length} runs)`, product: quantile(alone, 0.5) },
        { ...row, what: 'webhook to exit, p95, alone', product: before },
        {
          ...row,
          what: `the same, p50, beside a flood (${flooded.length})`,
          product: quantile(flooded, 0.5),
        },
        {
          ...row,
          what: 'the same, p95, beside a flood',
          floor: before,
          product: quantile(flooded, SHARE),
          mustReach: `≤ ${Math.round(most)} ms`,
          verdict: atMost(quantile(flooded, SHARE), most),
        },
      ];
    }),
};

/** Pours the flood in as fast as it is taken, and waits until it is through. */
async function flood(bench: Bench, product: Product): Promise<void> {
  const calls = bench.quick ? 3_000 : 50_000;
  const url = product.webhookUrl;
  await callWebhook(bench.folder, { url, connections: CONNECTIONS, calls, body: alertBody() });
  await waitForExits(bench.stores, product, calls);
}
