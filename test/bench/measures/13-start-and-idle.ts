import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../src/operate/embedded/free-port.js';
import { startBenchProcess } from '../bench-process.js';
import { median } from '../figures.js';
import type { Bench, Measure, Row } from '../measure.js';
import { atMost } from '../verdicts.js';

const MB = 1_000_000;
const MOST_SECONDS = 3;
const MOST_MB = 120;
const IDLE_MS = 10_000;
const WORKERS = [
  'all',
  'story-runs',
  'trigger',
  'event-transformation',
  'http-request',
  'email',
  'send-to-story',
  'webhook-events',
  'maintenance',
].map((name) => `workers/${name}.js`);

export const measure: Measure = {
  number: 13,
  sentence: 'a second start until it is ready; memory of idle processes',
  async run(bench) {
    const seconds = await secondStart(bench);
    const memory = await idleMemory(bench);
    return [
      row('second start, stores included, until ready', 's', seconds, MOST_SECONDS),
      ...memory.map(([name, mb]) => row(`memory of ${name}, idle`, 'MB', mb, MOST_MB)),
    ];
  },
};

/** As `npm start` does when packages and build are there already. */
async function secondStart({ folder, turns }: Bench): Promise<number> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'fabula-bench-'));
  try {
    await startOnce(folder, dataDir);
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) times.push(await startOnce(folder, dataDir));
    return median(times);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Gives the seconds until it said that it runs. */
async function startOnce(folder: string, dataDir: string): Promise<number> {
  const port = String(await findFreePort());
  const began = performance.now();
  const main = `require(${JSON.stringify(path.join(folder, 'src/operate/cli/start/start.js'))}).main()`;
  const started = await startBenchProcess({
    args: ['-e', `${main}.then((code) => process.exit(code))`],
    env: { DATA_DIR: dataDir, PORT: port },
    logFile: path.join(dataDir, `start-${port}.log`),
    ready: 'Fabula is running',
  });
  const seconds = (performance.now() - began) / 1000;
  await started.stop('SIGTERM');
  return seconds;
}

function idleMemory(bench: Bench): Promise<[name: string, mb: number][]> {
  return bench.product({ workers: WORKERS }, async ({ processes }) => {
    await sleep(bench.quick ? IDLE_MS / 5 : IDLE_MS);
    return [...processes].map(([name, { memory }]) => [name, memory() / MB]);
  });
}

function row(what: string, unit: string, product: number, most: number): Row {
  return { measure: 13, what, unit, product, mustReach: `≤ ${most}`, verdict: atMost(product, most) };
}
