import { callWebhook } from '../load.js';
import type { Measure } from '../measure.js';
import { waitForExits } from '../runs.js';
import { callingStory, withTarget } from '../target.js';
import { alertBody } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

const DELAY_MS = 100;
const CONCURRENCY = 50;
const LEAST = 0.9;

export const measure: Measure = {
  number: 6,
  sentence: `HTTP actions of one worker process against a target that answers after ${DELAY_MS} ms`,
  run: (bench) =>
    withTarget(bench.folder, DELAY_MS, async (target) => {
      const env = { WORKER_CONCURRENCY: String(CONCURRENCY) };
      const stats = await bench.product({ ...callingStory(target.url), env }, async (product) => {
        const calls = bench.quick ? 1_000 : 8_000;
        await callWebhook(bench.folder, {
          url: product.webhookUrl,
          connections: 64,
          calls,
          body: alertBody(),
        });
        await waitForExits(bench.stores, product, calls);
        return target.stats();
      });
      const most = (CONCURRENCY * 1000) / DELAY_MS;
      const ratio = stats.callsPerSecond / most;
      return [
        {
          measure: 6,
          what: 'HTTP actions (floor: concurrency / answer time)',
          unit: '1/s',
          floor: most,
          product: stats.callsPerSecond,
          ratio,
          mustReach: `≥ ${LEAST} × floor`,
          verdict: atLeast(ratio, LEAST),
        },
        {
          measure: 6,
          what: 'most in flight (floor: WORKER_CONCURRENCY)',
          unit: '',
          floor: CONCURRENCY,
          product: stats.mostInFlight,
          verdict: '',
        },
      ];
    }),
};
