import { newRunGuid, runStartOf } from '../../src/engine/state/runs/run-guid.js';
import { createRunEnds } from '../../src/engine/follow-up/run-ends.js';
import {
  countByState,
  MOST_COUNTED_DELIVERIES,
  overdueSeconds,
} from '../../src/engine/state/deliveries/delivery-figures-store.js';
import { findBusyRuns } from '../../src/engine/state/runs/run-end-store.js';
import { nothingMore } from '../../src/engine/state/outcome.js';
import type { DeliveryRow } from '../../src/engine/state/deliveries/delivery-store.js';
import { scheduleLagSeconds } from '../../src/stories/schedules/due-schedule-store.js';
import { eventually } from '../support/eventually.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const GUID = '01890000-0000-7000-8000-000000000001';

/** Stores deliveries of one state; `dueInSeconds` from now. */
async function deliveries(state: string, count: number, dueInSeconds = 3_600): Promise<void> {
  const numbers = Array.from({ length: count }, (_value, index) => index);
  await stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state)
     SELECT IF(v.n = 0, ?, UUID()), 1, 1, 1, 'trigger', 1, NOW(3) + INTERVAL ? SECOND, ?
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
    [GUID, dueInSeconds, state, JSON.stringify(numbers)],
  );
}

const read = <T>(work: Parameters<typeof stores.db.read<T>>[0]) => stores.db.read(work);

/** The indexes that a statement reads deliveries or schedules by. */
const keys = (rows: PlanRow[]) =>
  rows
    .filter(({ table, type }) => table === 'deliveries' || type === 'ALL')
    .map(({ type, key, table }) => (type === 'ALL' ? `all of ${table}` : key))
    .filter((key) => key !== null && !/^all of (?:<derived|x)/.test(key))
    .join(' ');

/** A schedule whose next time is so many seconds from now. */
const addSchedule = (agent: number, inSeconds: number) =>
  stores.sql(
    `INSERT INTO schedules (story_id, agent_id, cron, timezone, next_at)
     VALUES (1, ?, '* * * * *', 'UTC', NOW(3) + INTERVAL ? SECOND)`,
    [agent, inSeconds],
  );

/** An outcome that ends a branch of the run. */
const branchEnd = (storyRunGuid: string) =>
  nothingMore({ storyRunGuid, called: false } as unknown as DeliveryRow);

/** Counts ends of runs, soon after they are noted. */
function counting(gatherMs = 1) {
  const counted: string[] = [];
  const ends = createRunEnds({
    database: stores.db,
    meter: { ended: (guid) => counted.push(guid) },
    logger: stores.logger,
    gatherMs,
  });
  stores.onClose(() => ends.close());
  return { counted, ends };
}

test('deliveries are counted by state', async () => {
  await deliveries('pending', 3);
  await deliveries('held', 2);
  await deliveries('failed', 5);
  expect(Object.fromEntries(await read(countByState))).toEqual({
    pending: 3,
    waiting: 0,
    held: 2,
    parked: 0,
    failed: 5,
  });
});

test('a count stops at its bound, and each figure is read by an index', async () => {
  for (let done = 0; done < MOST_COUNTED_DELIVERIES + 5_000; done += 15_000)
    await deliveries('failed', 15_000);
  await deliveries('pending', 10, -5);
  await read((session) => session.rows('ANALYZE TABLE deliveries'));
  expect((await read(countByState)).get('failed')).toBe(MOST_COUNTED_DELIVERIES);
  expect(await plansOf(stores.db, countByState, keys)).toEqual([Array(5).fill('deliveries_due').join(' ')]);
  const busy = await plansOf(stores.db, (session) => findBusyRuns(session, [GUID, newRunGuid()]), keys);
  expect(busy).toEqual(['deliveries_run']);
  // The server answers MIN from the index while it makes the plan, so that no table is left in it.
  expect(await plansOf(stores.db, overdueSeconds, keys)).toEqual(['']);
  expect(await plansOf(stores.db, scheduleLagSeconds, keys)).toEqual(['']);
});

test('the relay lags as long as the most overdue delivery is due', async () => {
  expect(await read(overdueSeconds)).toBe(0);
  await deliveries('waiting', 1, 60);
  await deliveries('held', 1, -900);
  expect(await read(overdueSeconds)).toBe(0);
  await deliveries('waiting', 1, -100);
  await deliveries('pending', 1, -500);
  expect(await read(overdueSeconds)).toBeGreaterThanOrEqual(500);
});

test('schedules lag as long as the most overdue one is due', async () => {
  await addSchedule(1, 300);
  expect(await read(scheduleLagSeconds)).toBe(0);
  await addSchedule(2, -40);
  expect(await read(scheduleLagSeconds)).toBeGreaterThanOrEqual(40);
});

describe('the ends of runs', () => {
  test('of many runs at once two hundred stand for all', async () => {
    const { counted, ends } = counting();
    ends.follow(Array.from({ length: 650 }, () => branchEnd(newRunGuid())));
    await eventually(() => counted.length > 0);
    expect([counted.length, new Set(counted).size]).toEqual([650, 200]);
  });

  test('a run ends when it has no work left, and once', async () => {
    await deliveries('pending', 1);
    const over = newRunGuid();
    const { counted, ends } = counting();
    ends.follow([branchEnd(GUID), branchEnd(over), branchEnd(over)]);
    await eventually(() => counted.length > 0);
    ends.follow([branchEnd(over)]);
    const last = newRunGuid();
    ends.follow([branchEnd(last)]);
    await eventually(() => counted.includes(last));
    expect(counted).toEqual([over, last]);
  });

  test('dead letters are no work', async () => {
    await deliveries('failed', 1);
    const { counted, ends } = counting();
    ends.follow([branchEnd(GUID)]);
    await eventually(() => counted.length > 0);
    expect(counted).toEqual([GUID]);
  });

  test('the guid of a run tells when it began', () => {
    const before = Date.now();
    const began = runStartOf(newRunGuid())!;
    expect(began).toBeGreaterThanOrEqual(before);
    expect(began).toBeLessThanOrEqual(Date.now() + 1);
    expect(runStartOf('d9428888-122b-41e1-b85c-61e8d2f3a1b4')).toBeUndefined();
  });
});
