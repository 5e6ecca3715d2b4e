import { compare, inTurns } from '../figures.js';
import { runsFor } from '../history.js';
import { withKeptHistory } from '../kept-history.js';
import type { Bench, Measure, Product, Row } from '../measure.js';
import { CPU_USERS, measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

const EVENTS = { full: 10_000_000, quick: 200_000 };
const LEAST = 0.9;
const CONNECTIONS = 64;
/** All of it is younger than it is kept. */
const DAYS = { from: 30, to: 1 };

export const measure: Measure = {
  number: 10,
  sentence: 'measure 1 with 10 million events in the tables, against empty ones',
  async run(bench) {
    const events = bench.quick ? EVENTS.quick : EVENTS.full;
    const turns = await withKeptHistory(
      bench.stores,
      { runs: runsFor(events), days: DAYS, say: (text) => bench.say(text) },
      (history) =>
        inTurns(
          bench.turns,
          () => bench.product(TWO_TEMPLATES, (product) => told(bench, 'empty', product)),
          () =>
            bench.product(TWO_TEMPLATES, (product) =>
              history.withProduct(product, () => told(bench, 'full', product)),
            ),
        ),
    );
    const runs = compare(turns, ({ runsPerSecond }) => runsPerSecond);
    const stored = `${events.toLocaleString('en')} events`;
    return [
      row(`completed runs with ${stored} (floor: none)`, '1/s', runs, {
        mustReach: `≥ ${LEAST} × empty`,
        verdict: atLeast(runs.ratio, LEAST),
      }),
      ...CPU_USERS.map((user) =>
        row(
          `CPU time of ${user}, a run`,
          'ms',
          compare(turns, (result) => result.cpuMs[user]),
        ),
      ),
    ];
  },
};

async function told(bench: Bench, tables: string, product: Product): Promise<RunsResult> {
  const size = bench.quick ? { calls: 2_000, warm: 1_000 } : { calls: 20_000, warm: 2_000 };
  const result = await measureRuns(bench, product, {
    connections: CONNECTIONS,
    ...size,
    body: alertBody(),
  });
  bench.say(`  ${tables}: ${Math.round(result.runsPerSecond)} runs/s`);
  return result;
}

function row(
  what: string,
  unit: string,
  figures: Pick<Row, 'floor' | 'product' | 'ratio'>,
  aim: Pick<Row, 'mustReach' | 'verdict'> = { verdict: '' },
): Row {
  return { measure: 10, what, unit, ...figures, ...aim };
}
