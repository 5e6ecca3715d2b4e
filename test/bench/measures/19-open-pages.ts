import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { compareInPairs } from '../figures.js';
import type { Measure, Product, Row } from '../measure.js';
import { CPU_USERS, measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

/** Open pages of one person: as many streams as one process allows. */
const PAGES = 10;
/** A page that live events made old asks again after this time (src/console/api/query-client.ts, `GATHER_MS`). */
const AGAIN_MS = 1_500;
const HOUR_MS = 60 * 60_000;
/** For each turn of the bench, as where two builds are compared. */
const SHORT_TURNS = 20;
const LOAD = { connections: 64, warm: 0, body: alertBody() };
const SIZES = { full: { calls: 4_000, warm: 10_000 }, quick: { calls: 1_000, warm: 1_000 } };

export const measure: Measure = {
  number: 19,
  sentence: `measure 1's load while ${PAGES} pages of the console are open: lists of runs, and the hours of Home`,
  run: (bench) =>
    bench.product(TWO_TEMPLATES, async (product) => {
      const { calls, warm } = SIZES[bench.quick ? 'quick' : 'full'];
      await measureRuns(bench, product, { ...LOAD, calls: warm });
      const alone: RunsResult[] = [];
      const watched: RunsResult[] = [];
      const turnAlone = async () => void alone.push(await measureRuns(bench, product, { ...LOAD, calls }));
      for (let turn = 0; turn < bench.turns * SHORT_TURNS; turn += 1) {
        if (turn % 2 === 0) await turnAlone();
        watched.push(await whileWatched(product, () => measureRuns(bench, product, { ...LOAD, calls })));
        if (turn % 2 === 1) await turnAlone();
      }
      return rowsOf(alone, watched);
    }),
};

/**
 * Half of the pages show the newest runs, the others the hours of Home: each listens, and asks again for what ended runs made old.
 * @throws unless all streams have begun and all questions were answered.
 */
async function whileWatched<T>(product: Product, work: () => Promise<T>): Promise<T> {
  const closed = new AbortController();
  const pages = await Promise.all(Array.from({ length: PAGES }, () => openStream(product)));
  const asking = pages.map((_, page) =>
    askAgain(product, page % 2 === 0 ? newestRuns : hoursOfHome, closed.signal),
  );
  try {
    const [result] = await Promise.all([work().finally(() => closed.abort()), ...asking]);
    return result;
  } finally {
    closed.abort();
    for (const page of pages) page.destroy();
  }
}

const newestRuns = () => '/api/v1/runs?per_page=50';
const hoursOfHome = () =>
  `/api/v1/stats?by=hour&per_page=30&from=${new Date(Date.now() - 23 * HOUR_MS).toISOString()}`;

async function askAgain({ url, key }: Product, path: () => string, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    const response = await fetch(url + path(), { headers: { 'X-User-Token': key } });
    if (!response.ok) throw new Error(`${path()} was answered with ${response.status}`);
    await response.arrayBuffer();
    await setTimeout(AGAIN_MS, undefined, { signal: closed }).catch(() => undefined);
  }
}

/** Opens a stream on a connection of its own, as each page of a browser does, and reads on. */
async function openStream({ url, key }: Product): Promise<IncomingMessage> {
  const asked = get(`${url}/api/v1/stream`, { agent: false, headers: { 'X-User-Token': key } });
  const [stream] = (await once(asked, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`A stream was answered with ${stream.statusCode}`);
  return stream.resume();
}

function rowsOf(alone: readonly RunsResult[], watched: readonly RunsResult[]): Row[] {
  const row = (what: string, unit: string, figure: (result: RunsResult) => number) => {
    const { spread, ...figures } = compareInPairs(alone.map(figure), watched.map(figure));
    const note = `${what}: ${figures.ratio.toFixed(3)} ± ${spread.toFixed(3)} (two standard errors) in ${watched.length} turns`;
    const shown: Row = { measure: 19, what, unit, ...figures, verdict: '', notes: [note] };
    return { shown, most: figures.ratio + spread };
  };
  const runs = row(
    'completed runs while pages are open (floor: none is)',
    '1/s',
    ({ runsPerSecond }) => runsPerSecond,
  );
  return [
    { ...runs.shown, mustReach: 'no less, but for the error', verdict: atLeast(runs.most, 1) },
    ...CPU_USERS.map((user) => row(`CPU time of ${user}, a run`, 'ms', ({ cpuMs }) => cpuMs[user]).shown),
  ];
}
