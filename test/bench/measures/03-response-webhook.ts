import { fork } from 'node:child_process';
import path from 'node:path';
import { compare, inTurns, quantile, type Turns } from '../figures.js';
import { callWebhook, messageFrom } from '../load.js';
import type { Bench, Measure, Row, Subject } from '../measure.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const LIMIT_MS = 15 * 60_000;
const IN_FLIGHT = [1, 10];
/** As many runs as measure 1 warms up with (see there). */
const WARM_CALLS = 10_000;
/** Short turns, so that the machine is the same for both sides: so many for each one of the bench. */
const SHORT_TURNS = 3;
/** Calls in one turn of one of two builds. */
const SHORT_CALLS = 150;
const MOST_MS = 15;
/** Bound, as a multiple of the p50 of the bare program, which stores as much. */
const MOST_RATIO = 1.5;
/** Room above what is in flight: at the limit a call would not wait for its run (spec §4.7). */
const ENV = { RESPONSE_CONCURRENCY: '20' };
const STORY = {
  ...TWO_TEMPLATES,
  story: { ...TWO_TEMPLATES.story, synchronous_webhooks_enabled: true, exit_agent_guids: [exitGuid()] },
};

/** Calls that are made one after the other, so many at a time. */
interface Leg {
  inFlight: number;
  calls: number;
}

/** Times in ms, by what was in flight. */
type Responses = Map<number, number[]>;

interface Floors {
  bare: Responses;
  /** By BullMQ's own means: `add` and `waitUntilFinished`. */
  awaited: Responses;
  /** Figures of the bare program that stores what the product stores, before it goes on. */
  stored: Responses;
}

export const measure: Measure = {
  number: 3,
  sentence: 'the answer of a run, to who waits for it; the floor is a bare BullMQ round trip of as many hops',
  async run(bench) {
    const turns = await bench.both(
      { floor: { awaited: true }, product: { ...STORY, env: ENV } },
      (floor, product) =>
        withRoundTrips(bench, async (takeBare, takeAwaited) => {
          const takeStored = callsOf(bench, floor, 201);
          const takeProduct = callsOf(bench, product, 200);
          const calls = bench.quick ? 100 : 500;
          const warmUp = { inFlight: Math.max(...IN_FLIGHT), calls: bench.quick ? 200 : WARM_CALLS };
          for (const take of [takeBare, takeAwaited, takeStored, takeProduct]) await take(warmUp);
          return inTurns(
            bench.turns * SHORT_TURNS,
            async () => ({
              bare: await responsesOf(takeBare, calls),
              awaited: await responsesOf(takeAwaited, calls),
              stored: await responsesOf(takeStored, calls),
            }),
            () => responsesOf(takeProduct, calls),
          );
        }),
    );
    return IN_FLIGHT.flatMap((inFlight) => rowsOf(inFlight, turns));
  },
  comparison: {
    product: { ...STORY, env: ENV },
    async warmUp(bench, product) {
      await callsOf(bench, product, 200)({ inFlight: Math.max(...IN_FLIGHT), calls: WARM_CALLS });
    },
    async turn(bench, product) {
      const responses = await responsesOf(callsOf(bench, product, 200), SHORT_CALLS);
      return [...responses].map(([inFlight, timesMs]) => ({
        what: nameOf(0.5, inFlight),
        value: quantile(timesMs, 0.5),
        unit: 'ms',
      }));
    },
  },
};

/** Makes the calls of a leg; gives their times in ms. */
type TakeLeg = (leg: Leg) => Promise<number[]>;

function callsOf({ folder }: Bench, { webhookUrl }: Subject, status: number): TakeLeg {
  return async ({ inFlight, calls }) => {
    const load = { url: webhookUrl, connections: inFlight, calls, body: alertBody(), status };
    return (await callWebhook(folder, load)).timesMs;
  };
}

function exitGuid(): string {
  const agents = TWO_TEMPLATES.story['agents'] as { name: string; guid: string }[];
  return agents.find(({ name }) => name === TWO_TEMPLATES.exit)?.guid ?? '';
}

/** Bare BullMQ round trips, published and by BullMQ's own means, for as long as `work` lasts. */
async function withRoundTrips<T>(
  { folder, stores }: Bench,
  work: (published: TakeLeg, awaited: TakeLeg) => Promise<T>,
): Promise<T> {
  const caller = fork(path.join(folder, 'test/bench/floor/round-trip.js'), ['caller'], {
    env: { PATH: process.env['PATH'], REDIS_URL: stores.redisUrl },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  try {
    await messageFrom(caller);
    const taker =
      (waits: boolean): TakeLeg =>
      async (leg) => {
        caller.send({ ...leg, waits });
        return (await messageFrom(caller)) as number[];
      };
    return await work(taker(false), taker(true));
  } finally {
    caller.kill('SIGKILL');
  }
}

/** `calls` with one in flight, and more with several. */
async function responsesOf(take: TakeLeg, calls: number): Promise<Responses> {
  const responses: Responses = new Map();
  for (const inFlight of IN_FLIGHT) {
    responses.set(inFlight, await take({ inFlight, calls: calls * Math.ceil(Math.sqrt(inFlight)) }));
  }
  return responses;
}

function nameOf(share: number, inFlight: number): string {
  return `p${share * 100} of the run's answer, ${inFlight} in flight`;
}

function rowsOf(inFlight: number, { floor, product }: Turns<Responses, Floors>): Row[] {
  const against = (responses: Responses[], share: number) =>
    compare({ floor: responses, product }, (times) => quantile(times.get(inFlight) ?? [], share));
  const bare = floor.map((floors) => floors.bare);
  const rows = [0.5, 0.99].map((share): Row => {
    const figures = against(bare, share);
    const aim =
      share === 0.5 && inFlight === 1
        ? { mustReach: `≤ ${MOST_MS} ms`, verdict: atMost(figures.product, MOST_MS) }
        : { verdict: '' as const };
    return { measure: 3, what: nameOf(share, inFlight), unit: 'ms', ...figures, ...aim };
  });
  const besides = (floorName: string, figures: ReturnType<typeof against>) => ({
    measure: 3,
    what: `${nameOf(0.5, inFlight)} (floor: ${floorName})`,
    unit: 'ms',
    ...figures,
  });
  const awaited = against(
    floor.map((floors) => floors.awaited),
    0.5,
  );
  const stored = against(
    floor.map((floors) => floors.stored),
    0.5,
  );
  const verdict = atMost(stored.ratio, MOST_RATIO);
  return [
    ...rows,
    { ...besides('each job waited for', awaited), verdict: '' },
    { ...besides('the bare program of 1', stored), mustReach: `≤ ${MOST_RATIO} × floor`, verdict },
  ];
}
