import { LIMITS_OUT_OF_REACH, openApiAccount } from '../api-account.js';
import type { BenchProcess } from '../bench-process.js';
import { compare, inTurns, quantile } from '../figures.js';
import { callRoute } from '../load.js';
import type { Bench, Measure, Row } from '../measure.js';
import { withRestFloor } from '../rest-floor.js';
import { buildRestScene, type RestCall } from '../rest-scene.js';
import { atLeast } from '../verdicts.js';

const CONNECTIONS = 32;
const LEAST = 0.5;
/** Until both sides' code is compiled: a server is three times as slow in its first thousand calls. */
const WARM_CALLS = 3_000;
/** Calls whose statements are counted. */
const COUNTED = 20;
/** The two sides may differ by what a process does beside its calls. */
const SAME_STATEMENTS = 0.1;

/** One that answers the calls. */
interface Side {
  url: string;
  server: BenchProcess;
}

/** The called address, and its headers. */
interface Sides {
  floor: Side;
  product: Side;
  headers: Record<string, string>;
}

/** Answers of one route, of one side, in one turn. */
interface Responses {
  callsPerSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the server process, per call. */
  cpuMs: number;
}

export const measure: Measure = {
  number: 12,
  sentence: `REST: get, list, create a record, create a case; ${CONNECTIONS} connections`,
  run: (bench) =>
    bench.product({ workers: [], env: LIMITS_OUT_OF_REACH }, async ({ url, processes }) => {
      const server = processes.get('web');
      if (server === undefined) throw new Error('There is no web process');
      const account = await openApiAccount(bench, url);
      const { world, calls } = await buildRestScene(bench.stores, account);
      return withRestFloor(bench, world, async (floor) => {
        const sides = { floor, product: { url, server }, headers: account.headers };
        const rows: Row[] = [];
        for (const call of calls) rows.push(...(await measureCall(bench, call, sides)));
        return rows;
      });
    }),
};

async function measureCall(bench: Bench, call: RestCall, sides: Sides): Promise<Row[]> {
  const statements = await sameStatements(bench, call, sides);
  const responsesOf = (side: Side, calls: number) => () =>
    takeResponses(bench, call, { ...side, headers: sides.headers, calls });
  await inTurns(1, responsesOf(sides.floor, WARM_CALLS), responsesOf(sides.product, WARM_CALLS));
  const calls = callsOf(bench, call);
  const turns = await inTurns(
    bench.turns,
    responsesOf(sides.floor, calls),
    responsesOf(sides.product, calls),
  );
  const row = (what: string, unit: string, figures: Pick<Row, 'floor' | 'product' | 'ratio'>): Row => ({
    measure: 12,
    what: `${call.what}: ${what}`,
    unit,
    ...figures,
    verdict: '',
  });
  const figure = (what: string, unit: string, of: (responses: Responses) => number) =>
    row(what, unit, compare(turns, of));
  const rate = figure('calls', '1/s', ({ callsPerSecond }) => callsPerSecond);
  return [
    { ...rate, mustReach: `≥ ${LEAST} × floor`, verdict: atLeast(rate.ratio ?? 0, LEAST) },
    figure('p50', 'ms', ({ p50 }) => p50),
    figure('p99', 'ms', ({ p99 }) => p99),
    figure('CPU time of the server, a call', 'ms', ({ cpuMs }) => cpuMs),
    row('statements a call', '', statements),
  ];
}

type Called = Pick<Side, 'url'> & Pick<Sides, 'headers'>;

/** About as many seconds for each route. */
function callsOf({ quick }: Bench, { method }: RestCall): number {
  return (method === 'GET' ? 8_000 : 3_000) / (quick ? 5 : 1);
}

async function takeResponses(
  { folder }: Bench,
  call: RestCall,
  { server, calls, ...called }: Called & Side & { calls: number },
): Promise<Responses> {
  const before = server.cpuMs();
  const result = await callRoute(folder, { ...optionsOf(call, called), connections: CONNECTIONS, calls });
  return {
    callsPerSecond: calls / result.seconds,
    p50: quantile(result.timesMs, 0.5),
    p99: quantile(result.timesMs, 0.99),
    cpuMs: (server.cpuMs() - before) / calls,
  };
}

function optionsOf({ method, path, body, status }: RestCall, { url, headers }: Called) {
  return { url: url + path, method, headers, status, ...(body !== undefined && { body }) };
}

/**
 * Statements that the database is asked for each call.
 * @throws when the two sides differ: the floor then runs other SQL than the product, and compares nothing.
 */
async function sameStatements(bench: Bench, call: RestCall, { headers, ...sides }: Sides) {
  const count = async ({ url }: Side) => {
    // The first call may connect, and note the use of the key.
    const options = { ...optionsOf(call, { url, headers }), connections: 1 };
    await callRoute(bench.folder, { ...options, calls: 1 });
    const before = await questions(bench);
    await callRoute(bench.folder, { ...options, calls: COUNTED });
    return ((await questions(bench)) - before) / COUNTED;
  };
  const floor = await count(sides.floor);
  const product = await count(sides.product);
  const ratio = product / floor;
  if (Math.abs(ratio - 1) > SAME_STATEMENTS)
    throw new Error(`${call.what}: the floor runs ${floor} statements a call, the product ${product}`);
  return { floor, product, ratio };
}

/** Returns the number of statements that clients have sent to the server so far. */
async function questions({ stores }: Bench): Promise<number> {
  return (await stores.counters()).get('Questions') ?? 0;
}
