import { compare, inTurns, type Turns } from '../figures.js';
import type { Bench, Measure, Row, Subject } from '../measure.js';
import { measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const CONNECTIONS = [1, 8, 64];
const QUANTILES = ['p50', 'p99'] as const;
/** The number of runs that measure 1 warms up with (see there). */
const WARM_CALLS = 10_000;
/** Half the calls at one connection, in a turn of one of two builds. */
const SHORT_CALLS = 100;
/** The one that the title's bound is for. */
const BOUND = { connections: 64, most: 2 };

/** By number of connections. */
type Responses = Map<number, RunsResult>;

export const measure: Measure = {
  number: 2,
  sentence: "the webhook's answer at 1, 8 and 64 connections",
  quick: true,
  async run(bench) {
    const turns = await inTurns(
      bench.turns,
      () => bench.floor((floor) => responsesOf(bench, floor, callsOf(bench))),
      () => bench.product(TWO_TEMPLATES, (product) => responsesOf(bench, product, callsOf(bench))),
    );
    return CONNECTIONS.flatMap((connections) => rowsOf(connections, turns));
  },
  comparison: {
    product: TWO_TEMPLATES,
    async warmUp(bench, product) {
      const warm = { connections: 64, calls: WARM_CALLS, warm: 0, body: alertBody() };
      await measureRuns(bench, product, warm);
    },
    async turn(bench, product) {
      const responses = await responsesOf(bench, product, SHORT_CALLS);
      return CONNECTIONS.flatMap((connections) =>
        QUANTILES.map((quantile) => ({
          what: nameOf(quantile, connections),
          value: responses.get(connections)?.[quantile] ?? Number.NaN,
          unit: 'ms',
        })),
      );
    },
  },
};

/** `least`: half the calls at one connection. */
async function responsesOf(bench: Bench, subject: Subject, least: number): Promise<Responses> {
  const responses: Responses = new Map();
  for (const connections of CONNECTIONS) {
    // As many calls as take about as long at every number of connections.
    const calls = least * Math.ceil(Math.sqrt(connections) * 2);
    const warm = connections === 1 ? calls : 0;
    responses.set(
      connections,
      await measureRuns(bench, subject, { connections, calls, warm, body: alertBody() }),
    );
  }
  return responses;
}

function callsOf(bench: Bench): number {
  return bench.quick ? 100 : 1_000;
}

function nameOf(quantile: (typeof QUANTILES)[number], connections: number): string {
  return `${quantile} of the answer, ${connections} connections`;
}

function rowsOf(connections: number, turns: Turns<Responses>): Row[] {
  return QUANTILES.map((quantile) => {
    const figures = compare(turns, (responses) => responses.get(connections)?.[quantile] ?? 0);
    const isBound = quantile === 'p99' && connections === BOUND.connections;
    return {
      measure: 2,
      what: nameOf(quantile, connections),
      unit: 'ms',
      ...figures,
      ...(isBound ? { mustReach: `≤ ${BOUND.most} × floor` } : {}),
      verdict: isBound ? atMost(figures.ratio, BOUND.most) : '',
    };
  });
}
