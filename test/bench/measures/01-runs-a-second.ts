import { compare, inTurns, type Turns } from '../figures.js';
import type { Bench, Measure, Row, Verdict } from '../measure.js';
import { CPU_USERS, measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

const LEAST = 0.65;
/** Below this no noise is the reason: the one figure that CI minds. */
const GROSS_LOSS = 0.4;
const SECOND_LOOK_TURNS = 2;
const LOAD = { connections: 64, body: alertBody() };
/** So many until the product's code is compiled (docs/understand/performance.md, The floor): a server runs for days. */
const WARM_RUNS = 10_000;
/** Calls in one turn of one of two builds. */
const SHORT_CALLS = 4_000;

export const measure: Measure = {
  number: 1,
  sentence: 'accepted and completed runs a second: webhook → transformation → trigger, 64 connections',
  quick: true,
  async run(bench) {
    const turns = await takeTurns(bench, bench.turns);
    if (ratioOf(turns) < GROSS_LOSS) {
      // Before anybody is told of a loss: others may have been at work on the machine just then.
      const more = await takeTurns(bench, SECOND_LOOK_TURNS);
      turns.floor.push(...more.floor);
      turns.product.push(...more.product);
    }
    const runs = compare(turns, ({ runsPerSecond }) => runsPerSecond);
    const calls = compare(turns, ({ callsPerSecond }) => callsPerSecond);
    const aim = { mustReach: `≥ ${LEAST} × floor`, verdict: verdict(runs.ratio) };
    return [
      row('accepted and completed runs', '1/s', runs, aim),
      row('calls answered meanwhile', '1/s', calls),
      ...CPU_USERS.map((user) =>
        row(
          `CPU time of ${user}, a run`,
          'ms',
          compare(turns, (result) => result.cpuMs[user]),
        ),
      ),
    ];
  },
  comparison: {
    product: TWO_TEMPLATES,
    async warmUp(bench, product) {
      await measureRuns(bench, product, { ...LOAD, calls: WARM_RUNS, warm: 0 });
    },
    async turn(bench, product) {
      const { runsPerSecond } = await measureRuns(bench, product, { ...LOAD, calls: SHORT_CALLS, warm: 0 });
      return [{ what: 'accepted and completed runs', value: runsPerSecond, unit: '1/s' }];
    },
  },
};

function takeTurns(bench: Bench, count: number): Promise<Turns<RunsResult>> {
  const options = { ...LOAD, ...sizeOf(bench) };
  return inTurns(
    count,
    () => bench.floor((floor) => told(bench, 'floor', measureRuns(bench, floor, options))),
    () =>
      bench.product(TWO_TEMPLATES, (product) => told(bench, 'product', measureRuns(bench, product, options))),
  );
}

function ratioOf(turns: Turns<RunsResult>): number {
  return compare(turns, ({ runsPerSecond }) => runsPerSecond).ratio;
}

function sizeOf({ quick }: Bench): { calls: number; warm: number } {
  return quick ? { calls: 2_000, warm: 1_000 } : { calls: 20_000, warm: WARM_RUNS };
}

async function told(bench: Bench, side: string, running: Promise<RunsResult>): Promise<RunsResult> {
  const result = await running;
  const { runsPerSecond, callsPerSecond } = result;
  bench.say(
    `  ${side}: ${Math.round(runsPerSecond)} runs/s (${Math.round(callsPerSecond)} calls/s answered)`,
  );
  return result;
}

function verdict(ratio: number): Verdict {
  return ratio < GROSS_LOSS ? 'gross loss' : atLeast(ratio, LEAST);
}

function row(
  what: string,
  unit: string,
  figures: Pick<Row, 'floor' | 'product' | 'ratio'>,
  aim: Pick<Row, 'mustReach' | 'verdict'> = { verdict: '' },
): Row {
  return { measure: 1, what, unit, ...figures, ...aim };
}
