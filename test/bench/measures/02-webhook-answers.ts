import { compare, inTurns, type Turns } from '../figures.js';
import type { Bench, Measure, Row, Subject } from '../measure.js';
import { measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const CONNECTIONS = [1, 8, 64];
/** The one that the title's bound is for. */
const BOUND = { connections: 64, most: 2 };

/** By number of connections. */
type Answers = Map<number, RunsResult>;

export const measure: Measure = {
  number: 2,
  sentence: "the webhook's answer at 1, 8 and 64 connections",
  quick: true,
  async run(bench) {
    const turns = await inTurns(
      bench.turns,
      () => bench.floor((floor) => answersOf(bench, floor)),
      () => bench.product(TWO_TEMPLATES, (product) => answersOf(bench, product)),
    );
    return CONNECTIONS.flatMap((connections) => rowsOf(connections, turns));
  },
};

async function answersOf(bench: Bench, subject: Subject): Promise<Answers> {
  const answers: Answers = new Map();
  for (const connections of CONNECTIONS) {
    // As many calls as take about as long at every number of connections.
    const calls = (bench.quick ? 100 : 1_000) * Math.ceil(Math.sqrt(connections) * 2);
    const warm = connections === 1 ? calls : 0;
    answers.set(
      connections,
      await measureRuns(bench, subject, { connections, calls, warm, body: alertBody() }),
    );
  }
  return answers;
}

function rowsOf(connections: number, turns: Turns<Answers>): Row[] {
  return (['p50', 'p99'] as const).map((quantile) => {
    const figures = compare(turns, (answers) => answers.get(connections)?.[quantile] ?? 0);
    const isBound = quantile === 'p99' && connections === BOUND.connections;
    return {
      measure: 2,
      what: `${quantile} of the answer, ${connections} connections`,
      unit: 'ms',
      ...figures,
      ...(isBound ? { mustReach: `≤ ${BOUND.most} × floor` } : {}),
      verdict: isBound ? atMost(figures.ratio, BOUND.most) : '',
    };
  });
}
