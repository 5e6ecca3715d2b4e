import { callWebhook } from '../load.js';
import type { Bench, Measure, Product, Row, Verdict } from '../measure.js';
import { waitForExits } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const MIB = 2 ** 20;
const SAMPLE_MS = 500;
const MOST_REDIS_BYTES = 1024;
/** Flat: what a process has at the end is so much more than after a third, at most. */
const FLAT = { times: 1.2, plusMib: 16 };
const WORKER = 'workers/all.js';

/** Memory of one process while the backlog was drained, in MiB. */
type Samples = Map<string, number[]>;

export const measure: Measure = {
  number: 7,
  sentence: 'a backlog of 100,000 deliveries, gathered without workers, drained by one worker process',
  run: (bench) =>
    bench.product({ ...TWO_TEMPLATES, workers: [] }, async (product) => {
      const waiting = bench.quick ? 5_000 : 100_000;
      const redisBytes = await gather(bench, product, waiting);
      const began = Date.now();
      await product.startWorker(WORKER);
      const samples = await drain(bench, product, waiting);
      const seconds = (Date.now() - began) / 1000;
      return [
        row('Redis memory for each waiting delivery', 'B', redisBytes, {
          mustReach: `≤ ${MOST_REDIS_BYTES}`,
          verdict: atMost(redisBytes, MOST_REDIS_BYTES),
        }),
        row('runs drained (two hops each)', '1/s', waiting / seconds),
        ...[...samples].flatMap(memoryRows),
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

async function drain({ stores }: Bench, product: Product, waiting: number): Promise<Samples> {
  const samples: Samples = new Map();
  const sampling = setInterval(() => {
    for (const [name, { memory }] of product.processes)
      samples.set(name, [...(samples.get(name) ?? []), memory() / MIB]);
  }, SAMPLE_MS);
  await waitForExits(stores, product, waiting).finally(() => clearInterval(sampling));
  return samples;
}

function memoryRows([name, values]: [string, number[]]): Row[] {
  const early = values[Math.floor(values.length / 3)] ?? 0;
  const late = values.at(-1) ?? 0;
  const bound = early * FLAT.times + FLAT.plusMib;
  return [
    row(`memory of ${name} at the end (a third through: ${Math.round(early)})`, 'MiB', late, {
      mustReach: 'flat',
      verdict: atMost(late, bound),
    }),
  ];
}

function row(
  what: string,
  unit: string,
  product: number,
  aim: { mustReach?: string; verdict: Verdict } = { verdict: '' },
): Row {
  return { measure: 7, what, unit, product, ...aim };
}
