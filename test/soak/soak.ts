import { setTimeout as sleep } from 'node:timers/promises';
import { writeOutside } from '../support/stores.js';
import { buildProduct } from '../chaos/build.js';
import { deadLetterReasons } from '../chaos/check-store.js';
import { startChaosStores } from '../chaos/chaos-stores.js';
import { isAccepted, type Ledger, startLoad } from '../chaos/load.js';
import { PROCESS_NAMES } from '../chaos/process-group.js';
import { createRandomness, type Randomness } from '../chaos/randomness.js';
import { defineScenario } from '../chaos/scenario.js';
import { leftInRedis, settle } from '../chaos/settle.js';
import { openWorld, type World } from '../chaos/world.js';
import { type Growth, growthOf } from './growth.js';
import { type Sample, takeSample } from './soak-samples.js';

const SAMPLE_EVERY_MS = 15_000;
/** Between faults. */
const PAUSE_MS = { from: 60_000, to: 240_000 };
/** The part of a soak's time that events are kept, so that retention works through most of it. */
const KEPT_PART = 1 / 8;
const EXAMPLES = 3;

export interface SoakOptions {
  durationMs: number;
  /** Webhook calls a second. */
  rate: number;
  seed: number;
  searchPath: string;
  signal: AbortSignal;
  /** Hears one line for each sample and fault. */
  onSample(line: string): void;
}

/** A soak's figures, and what did not hold. */
export interface SoakResult {
  database: string;
  hours: number;
  calls: number;
  accepted: number;
  faults: number;
  growth: Growth[];
  failures: string[];
}

const SOAK = defineScenario({
  name: 'soak',
  sentence: 'Hours of load, with a fault every few minutes.',
  hurt: () => Promise.resolve(undefined),
});

/** Runs all processes under load, hurts one now and then, and compares what they use early and late. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const build = await buildProduct();
  const stores = await startChaosStores(options.searchPath);
  try {
    const world = await openWorld(stores, SOAK, { folder: build.folder, together: false });
    try {
      return await soak(world, options);
    } finally {
      await world.close();
    }
  } finally {
    await stores.close();
    await build.remove();
  }
}

async function soak(world: World, options: SoakOptions): Promise<SoakResult> {
  const { durationMs, rate, seed, signal } = options;
  await keepEventsFor(world, Math.ceil((durationMs * KEPT_PART) / 1000));
  const load = startLoad(world.webhookUrl, rate);
  const ends = Date.now() + durationMs;
  const goesOn = () => Date.now() < ends && !signal.aborted;
  try {
    const [samples, faults] = await Promise.all([
      sampleUntil(world, goesOn, options),
      hurtUntil(world, goesOn, { options, random: createRandomness(seed) }),
    ]);
    const ledger = await load.stop();
    const stuck = await settle(world, { hurry: false });
    const growth = growthOf(samples);
    return {
      database: await world.stores.version(),
      hours: durationMs / 3_600_000,
      calls: ledger.responses.size,
      accepted: [...ledger.responses.values()].filter(isAccepted).length,
      faults,
      growth,
      failures: [
        ...(stuck === undefined ? [] : [stuck]),
        ...(await deadLetters(world)),
        ...missing(world, ledger),
        ...(await leftInRedis(world)),
        ...growth
          .filter(({ grew }) => grew)
          .map(
            ({ figure, early, late }) =>
              `${figure} grew from ${Math.round(early.median)} to ${Math.round(late.median)}`,
          ),
      ],
    };
  } finally {
    load.abort();
  }
}

/** Shorter than the API allows, so that a soak of hours sees retention at work. */
function keepEventsFor({ stores, story }: World, seconds: number): Promise<unknown> {
  return writeOutside(
    stores.db,
    'UPDATE stories SET keep_events_for = ?, version = version + 1 WHERE id = ?',
    [seconds, story.id],
  );
}

async function sampleUntil(
  world: World,
  goesOn: () => boolean,
  { onSample }: Pick<SoakOptions, 'onSample'>,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (goesOn()) {
    await sleep(SAMPLE_EVERY_MS);
    const sample = await takeSample(world);
    samples.push(sample);
    const shown = ['memory of web (MiB)', 'rows of events', 'rows of deliveries', 'keys in Redis'];
    onSample(shown.map((figure) => `${figure}: ${Math.round(sample.get(figure) ?? 0)}`).join(', '));
  }
  return samples;
}

async function hurtUntil(
  { group }: World,
  goesOn: () => boolean,
  { options, random }: { options: SoakOptions; random: Randomness },
): Promise<number> {
  let faults = 0;
  let next = Date.now() + random.between(PAUSE_MS.from, PAUSE_MS.to);
  while (goesOn()) {
    await sleep(1_000);
    if (Date.now() < next) continue;
    const victim = random.pick(PROCESS_NAMES);
    const fault = random.pick(['kill -9', 'SIGTERM'] as const);
    options.onSample(`${fault} of ${victim}`);
    await (fault === 'kill -9' ? group.kill(victim) : group.stop(victim));
    await group.ready(victim);
    faults += 1;
    next = Date.now() + random.between(PAUSE_MS.from, PAUSE_MS.to);
  }
  return faults;
}

/** No call of the load fails for good. */
async function deadLetters({ stores }: World): Promise<string[]> {
  const reasons = await deadLetterReasons(stores.db);
  return reasons.map((reason) => `dead letters: ${reason}`);
}

/** Each accepted call has sent its request and its mail. Retention has deleted its events, so they say nothing. */
function missing({ outside }: World, { responses }: Ledger): string[] {
  const accepted = [...responses.values()].filter(isAccepted);
  return [['request', outside.calls()] as const, ['mail', outside.mails()] as const].flatMap(
    ([kind, received]) => {
      const lost = accepted.filter(({ number }) => !received.has(number));
      if (lost.length === 0) return [];
      const examples = lost.slice(0, EXAMPLES).map(({ number }) => number);
      return [`${lost.length} accepted calls without their ${kind}, such as ${examples.join(', ')}`];
    },
  );
}
