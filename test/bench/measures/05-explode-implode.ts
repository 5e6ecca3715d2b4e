import { storyOf } from '../../support/stories.js';
import { compare, inTurns } from '../figures.js';
import { callOnce } from '../load.js';
import type { Bench, Measure, Subject } from '../measure.js';
import { measureRuns, waitForExits } from '../runs.js';
import { alertBody } from '../two-templates.js';
import { atLeast } from '../verdicts.js';

const ELEMENTS = 1_000;
const LEAST = 0.7;
/** Jobs that the floor works on for one run. */
const FLOOR_HOPS = 2;
/** Runs of the floor; the product works on as many elements, with as many before those that count. */
const FLOOR_RUNS = { calls: 8_000, warm: 2_000 };
const QUICK_FLOOR_RUNS = { calls: 1_000, warm: 500 };

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

export const measure: Measure = {
  number: 5,
  sentence: `explode 1 → ${ELEMENTS} → implode, one run after the other; the floor's hops a second at full load`,
  async run(bench) {
    const { floor, product } = await inTurns(
      bench.turns,
      async () => ({
        hops: await bench.floor((floor) => hopsPerSecond(bench, floor)),
        elements: await bench.floor((floor) => elementsPerSecond(bench, floor), { elements: ELEMENTS }),
      }),
      () => bench.product({ story: STORY, exit: 'Join' }, (product) => elementsPerSecond(bench, product)),
    );
    const against = (floors: number[]) => compare({ floor: floors, product }, (rate) => rate);
    const hops = against(floor.map((rates) => rates.hops));
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
        ...against(floor.map((rates) => rates.elements)),
        verdict: '',
      },
    ];
  },
};

async function hopsPerSecond(bench: Bench, floor: Subject): Promise<number> {
  const runs = await measureRuns(bench, floor, { connections: 64, ...floorRuns(bench), body: alertBody() });
  return runs.runsPerSecond * FLOOR_HOPS;
}

function floorRuns({ quick }: Bench): { calls: number; warm: number } {
  return quick ? QUICK_FLOOR_RUNS : FLOOR_RUNS;
}

async function elementsPerSecond(bench: Bench, subject: Subject): Promise<number> {
  const { calls, warm } = floorRuns(bench);
  const [rounds, warmRounds] = [calls, warm].map((runs) => (runs * FLOOR_HOPS) / ELEMENTS) as [
    number,
    number,
  ];
  for (let round = 0; round < warmRounds + rounds; round += 1) {
    await callOnce(subject, BODY);
    await waitForExits(bench.stores, subject, round + 1);
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
