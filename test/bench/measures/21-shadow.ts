import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/platform/json.js';
import { compareInPairs, mean } from '../figures.js';
import type { Bench, Measure, Product, Row } from '../measure.js';
import { CPU_USERS, measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

/** `SHADOW_CPU_SHARE`: the one of the default settings, and a whole processor. */
const SHARES = [0.25, 1];
/** Of the default share. */
const MUST_REACH = 0.8;
const LOAD = { connections: 64, warm: 0, body: alertBody() };
/** `short`: turns for each turn of the bench, as where two builds are compared. A turn is longer than the rests of a shadow. */
const SIZES = {
  full: { calls: 8_000, warm: 10_000, short: 10 },
  quick: { calls: 2_000, warm: 1_000, short: 3 },
};
/** Turns begin at other moments of work and rest than the one before. */
const PHASES_MS = [0, 400, 800, 200, 600];
const MOST_RUNS = 10_000;
const BEGIN_LIMIT_MS = 60_000;

/** One turn with an open shadow. */
interface Shadowed extends RunsResult {
  /** Runs that the shadow compared in a second of the turn. */
  comparedPerSecond: number;
}

export const measure: Measure = {
  number: 21,
  sentence: "measure 1's load while a shadow takes every run, each of which differs",
  async run(bench) {
    const rows: Row[] = [];
    for (const share of SHARES) rows.push(...(await runWith(bench, share)));
    return rows;
  },
};

function runWith(bench: Bench, share: number): Promise<Row[]> {
  const options = { ...TWO_TEMPLATES, env: { SHADOW_CPU_SHARE: String(share) } };
  return bench.product(options, async (product) => {
    const { calls, warm, short } = SIZES[bench.quick ? 'quick' : 'full'];
    const shadows = await makeDraft(product);
    await measureRuns(bench, product, { ...LOAD, calls: warm });
    const alone: RunsResult[] = [];
    const shadowed: Shadowed[] = [];
    const turnAlone = async () => void alone.push(await measureRuns(bench, product, { ...LOAD, calls }));
    for (let turn = 0; turn < bench.turns * short; turn += 1) {
      if (turn % 2 === 0) await turnAlone();
      shadowed.push(
        await whileShadowed(bench, product, {
          shadows,
          calls,
          waitMs: PHASES_MS[turn % PHASES_MS.length] ?? 0,
        }),
      );
      if (turn % 2 === 1) await turnAlone();
    }
    if (shadowed.every(({ comparedPerSecond }) => comparedPerSecond === 0))
      throw new Error('The shadow compared no run while it was measured');
    return rowsOf(share, alone, shadowed);
  });
}

/** Makes a draft that does otherwise with each run: such a run is tried with the live story too. Returns the path of its shadows. */
async function makeDraft(product: Product): Promise<string> {
  const { stories } = await ask<{ stories: { id: number }[] }>(product, 'GET /api/v1/stories?per_page=1');
  const story = `/api/v1/stories/${stories[0]?.id}`;
  const draft = await ask<{ id: number }>(product, `POST ${story}/drafts`, { name: 'Next' });
  const { agents } = await ask<{ agents: { id: number; name: string; options: JsonObject }[] }>(
    product,
    `GET /api/v1/stories/${draft.id}/agents?per_page=100`,
  );
  const shape = agents.find(({ name }) => name === 'Shape');
  const options = { ...shape?.options, payload: { summary: '<<receive.host>>', number: '=receive.number' } };
  await ask(product, `PUT /api/v1/actions/${shape?.id}`, { options });
  return `${story}/drafts/${draft.id}/shadows`;
}

/** Measures while a shadow compares: it has runs of before the turn, since it takes runs some seconds late. */
async function whileShadowed(
  bench: Bench,
  product: Product,
  { shadows, calls, waitMs }: { shadows: string; calls: number; waitMs: number },
): Promise<Shadowed> {
  const { id } = await ask<{ id: number }>(product, `POST ${shadows}`, { kind: 'next', runs: MOST_RUNS });
  const compared = async (): Promise<number> => {
    const { same, different } = await ask<{ same: number; different: number }>(
      product,
      `GET ${shadows}/${id}`,
    );
    return same + different;
  };
  try {
    await measureRuns(bench, product, { ...LOAD, calls: calls / 2 });
    const until = Date.now() + BEGIN_LIMIT_MS;
    while ((await compared()) === 0) {
      if (Date.now() > until) throw new Error('The shadow compared no run');
      await sleep(100);
    }
    await sleep(waitMs);
    const [before, beganAt] = [await compared(), Date.now()];
    const result = await measureRuns(bench, product, { ...LOAD, calls });
    const during = (await compared()) - before;
    return { ...result, comparedPerSecond: (during * 1000) / (Date.now() - beganAt) };
  } finally {
    await ask(product, `POST ${shadows}/${id}/stop`, {});
  }
}

async function ask<T>({ url, key }: Product, request: string, body?: JsonObject): Promise<T> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { 'X-User-Token': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function rowsOf(share: number, alone: readonly RunsResult[], shadowed: readonly Shadowed[]): Row[] {
  const row = (what: string, unit: string, figure: (result: RunsResult) => number): Row => {
    const { spread, ...figures } = compareInPairs(alone.map(figure), shadowed.map(figure));
    const note = `${what}, SHADOW_CPU_SHARE=${share}: ${figures.ratio.toFixed(3)} ± ${spread.toFixed(3)} (two standard errors) in ${shadowed.length} turns`;
    return { measure: 21, what: `${what}, share ${share}`, unit, ...figures, verdict: '', notes: [note] };
  };
  const runs = row('completed runs with a shadow (floor: without)', '1/s', (result) => result.runsPerSecond);
  const isBound = share === SHARES[0];
  return [
    {
      ...runs,
      ...(isBound && { mustReach: `≥ ${MUST_REACH}`, verdict: atLeast(runs.ratio ?? 0, MUST_REACH) }),
    },
    {
      measure: 21,
      what: `runs that the shadow compared meanwhile, share ${share}`,
      unit: '1/s',
      product: mean(shadowed.map(({ comparedPerSecond }) => comparedPerSecond)),
      verdict: '',
    },
    ...CPU_USERS.map((user) => row(`CPU time of ${user}, a run`, 'ms', ({ cpuMs }) => cpuMs[user])),
  ];
}
