import { eventually } from '../../support/eventually.js';
import { compare, inTurns, median, type Turns } from '../figures.js';
import {
  addHistoryStory,
  countHistory,
  fillHistory,
  keepHistoryFor,
  oldestHistory,
  runsFor,
} from '../history.js';
import { type LockWaits, withLockWaits } from '../lock-waits.js';
import type { Bench, Measure, Product, Row } from '../measure.js';
import { CPU_USERS, measureRuns, type RunsResult } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atLeast, atMost } from '../verdicts.js';

const SIZES = {
  full: { events: 1_000_000, calls: 20_000, warm: 2_000 },
  quick: { events: 20_000, calls: 2_000, warm: 1_000 },
};
const LEAST = 0.8;
const MOST_WAIT_MS = 1_000;
const CONNECTIONS = 64;
/** Older than a day, by far: the events are due as soon as they are kept for a day only. */
const DAYS = { from: 30, to: 3 };
const DAY_SECONDS = 86_400;
/** Retention looks once a minute; its first pass may take a while. */
const PASS_LIMIT_MS = 180_000;

/** Results of the load, and the rows that were deleted meanwhile. */
interface Turn {
  /** One after the other. */
  loads: RunsResult[];
  deletedPerSecond: number;
  locks: LockWaits;
}

export const measure: Measure = {
  number: 11,
  sentence: 'retention: a million expired events are deleted under the load of measure 1',
  run: (bench) =>
    bench.product(TWO_TEMPLATES, async (product) => {
      const { events, warm } = sizesOf(bench);
      await addHistoryStory(bench.stores, product);
      await fillHistory(bench.stores, { schema: product.schema, runs: runsFor(events), days: DAYS }, (text) =>
        bench.say(text),
      );
      await load(bench, product, warm);
      let turn = 0;
      const turns = await inTurns(
        bench.turns,
        () => alone(bench, product),
        () => {
          turn += 1;
          return whileDeleting(bench, product, Math.ceil(events * (1 - turn / bench.turns)));
        },
      );
      return rowsOf(events, turns);
    }),
};

async function alone(bench: Bench, product: Product): Promise<Turn> {
  const { result, locks } = await withLockWaits(bench.stores, () => load(bench, product));
  return told(bench, 'nothing is due', { loads: [result], deletedPerSecond: 0, locks });
}

/** Under load until only so many events are left. */
async function whileDeleting(bench: Bench, product: Product, until: number): Promise<Turn> {
  const { stores } = bench;
  const oldest = await oldestHistory(stores);
  await keepHistoryFor(stores, DAY_SECONDS);
  await eventually(async () => (await oldestHistory(stores)) !== oldest, PASS_LIMIT_MS);
  const { result, locks } = await withLockWaits(stores, () => loadUntil(bench, product, until));
  await keepHistoryFor(stores);
  await eventually(() => isIdle(bench), PASS_LIMIT_MS);
  return told(bench, 'while events are deleted', { ...result, locks });
}

/** @throws when retention deletes nothing for long. */
async function loadUntil(bench: Bench, product: Product, until: number): Promise<Omit<Turn, 'locks'>> {
  const began = performance.now();
  const before = await countHistory(bench.stores);
  const loads: RunsResult[] = [];
  let movedAt = began;
  let left = before;
  do {
    loads.push(await load(bench, product));
    const now = await countHistory(bench.stores);
    if (now < left) movedAt = performance.now();
    else if (performance.now() - movedAt > PASS_LIMIT_MS) throw new Error(`${left} events are not deleted`);
    left = now;
  } while (left > until);
  const seconds = (performance.now() - began) / 1000;
  return { loads, deletedPerSecond: (before - left) / seconds };
}

function load(bench: Bench, product: Product, calls: number = sizesOf(bench).calls): Promise<RunsResult> {
  return measureRuns(bench, product, { connections: CONNECTIONS, calls, warm: 0, body: alertBody() });
}

/** Whether retention has ended its pass: its lease is given back. */
async function isIdle({ stores }: Bench): Promise<boolean> {
  const [lease] = await stores.rows<{ value: string }>(
    "SELECT value FROM settings WHERE name = 'retention_lease'",
  );
  return lease?.value.startsWith('0 ') ?? false;
}

function sizesOf({ quick }: Bench) {
  return quick ? SIZES.quick : SIZES.full;
}

function told(bench: Bench, when: string, turn: Turn): Turn {
  const { deletedPerSecond, locks } = turn;
  const rates = `${Math.round(runsPerSecond(turn))} runs/s, ${Math.round(deletedPerSecond)} events deleted/s`;
  bench.say(`  ${when}: ${rates}; ${locks.waits} waits for locks, up to ${locks.longestMs} ms`);
  return turn;
}

function runsPerSecond({ loads }: Turn): number {
  return median(loads.map((result) => result.runsPerSecond));
}

function rowsOf(events: number, turns: Turns<Turn>): Row[] {
  const runs = compare(turns, runsPerSecond);
  const longestMs = Math.max(...turns.product.map(({ locks }) => locks.longestMs));
  const rows: Omit<Row, 'measure'>[] = [
    {
      what: `completed runs while ${events.toLocaleString('en')} events are deleted (floor: nothing due)`,
      unit: '1/s',
      ...runs,
      mustReach: `≥ ${LEAST} × without`,
      verdict: atLeast(runs.ratio, LEAST),
    },
    {
      what: 'longest wait for a lock',
      unit: 'ms',
      product: longestMs,
      mustReach: `≤ ${MOST_WAIT_MS}`,
      verdict: atMost(longestMs, MOST_WAIT_MS),
    },
    {
      what: 'expired events deleted under the load',
      unit: '1/s',
      product: median(turns.product.map(({ deletedPerSecond }) => deletedPerSecond)),
      verdict: '',
    },
    ...CPU_USERS.map((user): Omit<Row, 'measure'> => {
      const figures = compare(turns, ({ loads: all }) => median(all.map(({ cpuMs }) => cpuMs[user])));
      return { what: `CPU time of ${user}, a run`, unit: 'ms', ...figures, verdict: '' };
    }),
  ];
  return rows.map((row) => ({ measure: 11, ...row }));
}
