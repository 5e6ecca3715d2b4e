import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../figures.js';
import { callWebhook } from '../load.js';
import type { Bench, Measure, Product, Subject } from '../measure.js';
import { exitEvents, waitForExits } from '../runs.js';
import { alertBody, TWO_TEMPLATES, twoTemplates } from '../two-templates.js';
import { atMost } from '../verdicts.js';

/** Promise 6: p95 under the flood is at most the larger of these. */
const MOST = { times: 3, ms: 250 };
const CONNECTIONS = 64;
const CALL_EVERY_MS = 100;
const SHARE = 0.95;

type Quiet = Pick<Subject, 'webhookUrl' | 'exitAgentId'> & { schema: string };

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

/** How long each run of the quiet story took that began while `work` was going on, in ms. */
async function timesOf(bench: Bench, quiet: Quiet, work: () => Promise<void>): Promise<number[]> {
  const before = await exitEvents(bench.stores, quiet);
  const sentAt = await callSteadily(quiet, work());
  await waitForExits(bench.stores, quiet, before + sentAt.size);
  const rows = await bench.stores.rows<{ guid: string; at: string }>(
    `SELECT story_run_guid AS guid, UNIX_TIMESTAMP(created_at) * 1000 AS at FROM ${quiet.schema}.events WHERE agent_id = ?`,
    [quiet.exitAgentId],
  );
  return rows.flatMap(({ guid, at }) => {
    const sent = sentAt.get(guid);
    return sent === undefined ? [] : [Number(at) - sent];
  });
}

/** Calls the story every tenth of a second; gives when each run's call was sent, by the machine's clock. */
async function callSteadily({ webhookUrl }: Quiet, work: Promise<void>): Promise<Map<string, number>> {
  const sentAt = new Map<string, number>();
  const calls: Promise<void>[] = [];
  const timer = setInterval(() => calls.push(callOne(webhookUrl, sentAt)), CALL_EVERY_MS);
  await work.finally(() => clearInterval(timer));
  await Promise.all(calls);
  return sentAt;
}

async function callOne(url: string, sentAt: Map<string, number>): Promise<void> {
  const sent = Date.now();
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: alertBody() });
  await answer.body?.cancel();
  const guid = answer.headers.get('x-service-story-run');
  if (answer.status !== 201 || guid === null) throw new Error(`The quiet webhook answered ${answer.status}`);
  sentAt.set(guid, sent);
}
