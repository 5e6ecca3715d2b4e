import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { compare, inTurns, quantile, type Turns } from '../figures.js';
import { callWebhook } from '../load.js';
import type { Bench, Measure, Row, Subject } from '../measure.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const LIMIT_MS = 120_000;
const IN_FLIGHT = [1, 10];
const MOST_MS = 15;
const MOST_ROUND_TRIPS = 3;
/** Room above what is in flight: at the limit a call would not wait for its run (api-spec, Limits). */
const ENV = { RESPONSE_CONCURRENCY: '20' };
const STORY = {
  ...TWO_TEMPLATES,
  story: { ...TWO_TEMPLATES.story, synchronous_webhooks_enabled: true, exit_agent_guids: [exitGuid()] },
};

/** Times in ms, by what was in flight. */
type Answers = Map<number, number[]>;

interface Floors {
  bare: Answers;
  /** Of the bare program that stores what the product stores, before it goes on. */
  stored: Answers;
}

export const measure: Measure = {
  number: 3,
  sentence: 'the answer of a run, to who waits for it; the floor is a bare BullMQ round trip of as many hops',
  async run(bench) {
    const turns = await inTurns(
      bench.turns,
      async () => ({
        bare: await roundTrips(bench),
        stored: await bench.floor((floor) => callsOf(bench, floor, 201), { awaited: true }),
      }),
      () => bench.product({ ...STORY, env: ENV }, (product) => callsOf(bench, product, 200)),
    );
    return IN_FLIGHT.flatMap((inFlight) => rowsOf(inFlight, turns));
  },
};

function callsOf(bench: Bench, { webhookUrl }: Subject, status: number): Promise<Answers> {
  return answersOf(bench, async (connections, calls) => {
    const load = { url: webhookUrl, connections, calls, body: alertBody(), status };
    return (await callWebhook(bench.folder, load)).timesMs;
  });
}

function exitGuid(): string {
  const agents = TWO_TEMPLATES.story['agents'] as { name: string; guid: string }[];
  return agents.find(({ name }) => name === TWO_TEMPLATES.exit)?.guid ?? '';
}

async function roundTrips({ folder, stores, ...bench }: Bench): Promise<Answers> {
  await stores.renew();
  return answersOf({ ...bench, stores, folder }, async (inFlight, trips) => {
    const file = path.join(folder, 'test/bench/floor/round-trip.js');
    const args = [file, 'caller', String(inFlight), String(trips)];
    const env = { PATH: process.env['PATH'], REDIS_URL: stores.redisUrl };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: LIMIT_MS });
    return JSON.parse(stdout) as number[];
  });
}

/** The first half warms up. */
async function answersOf(
  { quick }: Bench,
  measureOnce: (inFlight: number, calls: number) => Promise<number[]>,
): Promise<Answers> {
  const answers: Answers = new Map();
  for (const inFlight of IN_FLIGHT) {
    const calls = (quick ? 200 : 1_000) * Math.ceil(Math.sqrt(inFlight));
    const timesMs = await measureOnce(inFlight, calls);
    answers.set(inFlight, timesMs.slice(timesMs.length / 2));
  }
  return answers;
}

function rowsOf(inFlight: number, { floor, product }: Turns<Answers, Floors>): Row[] {
  const named = (share: number) => `p${share * 100} of the run's answer, ${inFlight} in flight`;
  const against = (answers: Answers[], share: number) =>
    compare({ floor: answers, product }, (times) => quantile(times.get(inFlight) ?? [], share));
  const bare = floor.map((floors) => floors.bare);
  const rows = [0.5, 0.99].map((share): Row => {
    const figures = against(bare, share);
    const bounded = share === 0.5;
    const alone = bounded && inFlight === 1;
    return {
      measure: 3,
      what: named(share),
      unit: 'ms',
      ...figures,
      ...(bounded ? { mustReach: `≤ ${MOST_ROUND_TRIPS} × floor${alone ? `, ≤ ${MOST_MS} ms` : ''}` } : {}),
      verdict: bounded ? verdict(figures, alone) : '',
    };
  });
  const stored = against(
    floor.map((floors) => floors.stored),
    0.5,
  );
  return [
    ...rows,
    { measure: 3, what: `${named(0.5)} (floor: the bare program of 1)`, unit: 'ms', ...stored, verdict: '' },
  ];
}

function verdict({ product, ratio }: { product: number; ratio: number }, alone: boolean) {
  return alone && product > MOST_MS ? 'missed' : atMost(ratio, MOST_ROUND_TRIPS);
}
