import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { compareInPairs } from '../figures.js';
import type { Measure, Product, Row } from '../measure.js';
import { CPU_USERS, measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

/** Pages of one person that listen: as many as one process allows. */
const LISTENERS = 10;
/** For each turn of the bench, as where two builds are compared. */
const SHORT_TURNS = 20;
const LOAD = { connections: 64, warm: 0, body: alertBody() };
const SIZES = { full: { calls: 4_000, warm: 10_000 }, quick: { calls: 1_000, warm: 1_000 } };

export const measure: Measure = {
  number: 19,
  sentence: `measure 1's load while ${LISTENERS} pages of the console listen to the stream`,
  run: (bench) =>
    bench.product(TWO_TEMPLATES, async (product) => {
      const { calls, warm } = SIZES[bench.quick ? 'quick' : 'full'];
      await measureRuns(bench, product, { ...LOAD, calls: warm });
      const alone: RunsResult[] = [];
      const heard: RunsResult[] = [];
      const turnAlone = async () => void alone.push(await measureRuns(bench, product, { ...LOAD, calls }));
      for (let turn = 0; turn < bench.turns * SHORT_TURNS; turn += 1) {
        if (turn % 2 === 0) await turnAlone();
        heard.push(await whileHeard(product, () => measureRuns(bench, product, { ...LOAD, calls })));
        if (turn % 2 === 1) await turnAlone();
      }
      return rowsOf(alone, heard);
    }),
};

/** @throws unless all streams have begun. */
async function whileHeard<T>(product: Product, work: () => Promise<T>): Promise<T> {
  const streams = await Promise.all(Array.from({ length: LISTENERS }, () => openStream(product)));
  try {
    return await work();
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

/** Opens a stream on a connection of its own, as each page of a browser does, and reads on. */
async function openStream({ url, key }: Product): Promise<IncomingMessage> {
  const asked = get(`${url}/api/v1/stream`, { agent: false, headers: { 'X-User-Token': key } });
  const [stream] = (await once(asked, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`A stream was answered with ${stream.statusCode}`);
  return stream.resume();
}

function rowsOf(alone: readonly RunsResult[], heard: readonly RunsResult[]): Row[] {
  const row = (what: string, unit: string, figure: (result: RunsResult) => number) => {
    const { spread, ...figures } = compareInPairs(alone.map(figure), heard.map(figure));
    const note = `${what}: ${figures.ratio.toFixed(3)} ± ${spread.toFixed(3)} (two standard errors) in ${heard.length} turns`;
    const shown: Row = { measure: 19, what, unit, ...figures, verdict: '', notes: [note] };
    return { shown, most: figures.ratio + spread };
  };
  const runs = row(
    'completed runs while pages listen (floor: none does)',
    '1/s',
    ({ runsPerSecond }) => runsPerSecond,
  );
  return [
    { ...runs.shown, mustReach: 'no less, but for the error', verdict: atLeast(runs.most, 1) },
    ...CPU_USERS.map((user) => row(`CPU time of ${user}, a run`, 'ms', ({ cpuMs }) => cpuMs[user]).shown),
  ];
}
