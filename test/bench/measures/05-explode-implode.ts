import { storyOf } from '../../support/stories.js';
import { compare, inTurns, type Turns } from '../figures.js';
import { callOnce } from '../load.js';
import type { Bench, FloorOptions, Measure, Subject } from '../measure.js';
import { exitEvents, measureRuns, waitForExits } from '../runs.js';
import { alertBody } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

const ELEMENTS = 1_000;
const LEAST = 0.6;
/** Jobs that the floor works on for one run. */
const FLOOR_HOPS = 2;
/**
 * Runs of the floor; the product works on as many elements, with as many before those that count: until its code is compiled
 * (docs/understand/performance.md, The floor).
 */
const FLOOR_RUNS = { calls: 8_000, warm: 12_000 };
const QUICK_FLOOR_RUNS = { calls: 1_000, warm: 500 };
/** Turns of ten seconds, for each one of the bench. */
const SHORT_TURNS = 2;

const STORY = storyOf(
  {
    Receive: ['Webhook', { path: 'explode', secret: 's3cret', verbs: 'post', include_headers: false }],
    Split: [
      'EventTransformation',
      { mode: 'explode', path: '=receive.list', to: 'element', limit: ELEMENTS },
    ],
    Join: [
      'EventTransformation',
      { mode: 'implode', item_path: '=split.element', guid_path: '=split.guid', size_path: '=split.size' },
    ],
  },
  ['Receive > Split > Join'],
);
const BODY = JSON.stringify({
  list: Array.from({ length: ELEMENTS }, (_, index) => ({ host: `web-${index}.example.test` })),
});

/** Explodes of two builds. */
const SHORT = { warmRounds: 16, rounds: 3 };

const asItIs = (rate: number) => rate;

export const measure: Measure = {
  number: 5,
  sentence: `explode 1 → ${ELEMENTS} → implode, one run after the other; the floor's hops a second at full load`,
  async run(bench) {
    const hops = compare(await turnsOf(bench, {}, hopsPerSecond), asItIs);
    const same = compare(await turnsOf(bench, { elements: ELEMENTS }, elementsPerSecond), asItIs);
    return [
      {
        measure: 5,
        what: `elements exploded and imploded (floor: hops)`,
        unit: '1/s',
        ...hops,
        mustReach: `≥ ${LEAST} × floor`,
        verdict: atLeast(hops.ratio, LEAST),
      },
      {
        measure: 5,
        what: `elements exploded and imploded (floor: the same, bare)`,
        unit: '1/s',
        ...same,
        verdict: '',
      },
    ];
  },
  comparison: {
    product: { story: STORY, exit: 'Join' },
    async warmUp(bench, product) {
      await elementsOf(bench, product, SHORT.warmRounds);
    },
    async turn(bench, product) {
      const value = await elementsOf(bench, product, SHORT.rounds);
      return [{ what: 'elements exploded and imploded', value, unit: '1/s' }];
    },
  },
};

/** So many of each second, for as many runs of the floor (`FLOOR_RUNS`). */
type Rate = (bench: Bench, subject: Subject, floorRuns: number) => Promise<number>;

/** The rates of both sides, once they are warm. */
function turnsOf(bench: Bench, floor: FloorOptions, floorRate: Rate): Promise<Turns<number>> {
  const { calls, warm } = bench.quick ? QUICK_FLOOR_RUNS : FLOOR_RUNS;
  return bench.both({ floor, product: { story: STORY, exit: 'Join' } }, async (bare, product) => {
    await floorRate(bench, bare, warm);
    await elementsPerSecond(bench, product, warm);
    return inTurns(
      bench.turns * SHORT_TURNS,
      () => floorRate(bench, bare, calls),
      () => elementsPerSecond(bench, product, calls),
    );
  });
}

async function hopsPerSecond(bench: Bench, floor: Subject, calls: number): Promise<number> {
  const runs = await measureRuns(bench, floor, { connections: 64, calls, warm: 0, body: alertBody() });
  return runs.runsPerSecond * FLOOR_HOPS;
}

function elementsPerSecond(bench: Bench, subject: Subject, floorRuns: number): Promise<number> {
  return elementsOf(bench, subject, (floorRuns * FLOOR_HOPS) / ELEMENTS);
}

/** The rate of so many explodes. */
async function elementsOf(bench: Bench, subject: Subject, rounds: number): Promise<number> {
  const before = await exitEvents(bench.stores, subject);
  for (let round = 1; round <= rounds; round += 1) {
    await callOnce(subject, BODY);
    await waitForExits(bench.stores, subject, before + round);
  }
  const [times] = await bench.stores.rows<{ us: string }>(
    `SELECT SUM(us) AS us FROM (
       SELECT TIMESTAMPDIFF(MICROSECOND, r.created_at, e.created_at) AS us FROM ${subject.schema}.events e
       JOIN ${subject.schema}.story_runs r ON r.guid = e.story_run_guid WHERE e.agent_id = ? ORDER BY e.id DESC LIMIT ${rounds}
     ) times`,
    [subject.exitAgentId],
  );
  return (ELEMENTS * rounds * 1_000_000) / Number(times?.us);
}
