import { setTimeout as sleep } from 'node:timers/promises';
import { storyOf, type ShortAgent } from '../../support/stories.js';
import { mean } from '../figures.js';
import { callOnce } from '../load.js';
import type { Bench, Measure, Subject } from '../measure.js';
import { exitEvents } from '../runs.js';
import { alertBody } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const HOPS = 10;
const MOST = 12;
/** The share of the times that counts: other work on the machine slows the slowest tenth. */
const COUNTED = 0.9;
const POLL_MS = 20;
const LIMIT_MS = 30_000;

export const measure: Measure = {
  number: 4,
  sentence: `a chain of ${HOPS} actions on a quiet system: from the webhook to the last event`,
  async run(bench) {
    const one = await timeOf(bench, 1);
    const chain = await timeOf(bench, HOPS);
    const ratio = chain / one;
    return [
      {
        measure: 4,
        what: `webhook to exit, ${HOPS} actions (floor: one action)`,
        unit: 'ms',
        floor: one,
        product: chain,
        ratio,
        mustReach: `≤ ${MOST} × one`,
        verdict: atMost(ratio, MOST),
      },
    ];
  },
};

/** From the run's row to the event of the last action, in ms, one run after the other. */
function timeOf(bench: Bench, hops: number): Promise<number> {
  const runs = bench.quick ? 10 : 60;
  return bench.product({ story: chainOf(hops), exit: `Hop ${hops}` }, async (product) => {
    for (let run = 1; run <= 2 * runs; run += 1) await runOnce(bench, product, run);
    const times = await bench.stores.rows<{ us: number }>(
      `SELECT TIMESTAMPDIFF(MICROSECOND, r.created_at, e.created_at) AS us FROM events e
       JOIN story_runs r ON r.guid = e.story_run_guid WHERE e.agent_id = ? ORDER BY e.id DESC LIMIT ${runs}`,
      [product.exitAgentId],
    );
    const ms = times.map(({ us }) => us / 1000).toSorted((a, b) => a - b);
    return mean(ms.slice(0, Math.ceil(ms.length * COUNTED)));
  });
}

async function runOnce({ stores }: Bench, product: Subject, expected: number): Promise<void> {
  await callOnce(product, alertBody());
  const deadline = Date.now() + LIMIT_MS;
  while ((await exitEvents(stores, product)) < expected) {
    if (Date.now() > deadline) throw new Error('A chain did not come to its end');
    await sleep(POLL_MS);
  }
}

function chainOf(hops: number) {
  const names = Array.from({ length: hops }, (_, index) => `Hop ${index + 1}`);
  const agents = names.map((name): [string, ShortAgent] => [
    name,
    ['EventTransformation', { mode: 'message_only', payload: { host: '<<receive.host>>' } }],
  ]);
  const webhook: ShortAgent = [
    'Webhook',
    { path: 'chain', secret: 's3cret', verbs: 'post', include_headers: false },
  ];
  return storyOf({ Receive: webhook, ...Object.fromEntries(agents) }, [['Receive', ...names].join(' > ')]);
}
