import {
  addHistoryStory,
  countHistory,
  fillHistory,
  keepHistoryFor,
  oldestHistory,
} from '../bench/history.js';
import { buildRetention, DAY, retentionWorld } from '../support/retention.js';
import { useStores } from '../support/stores.js';

/** The history with which the measures of many events and of retention begin. */
const stores = useStores();
/** More than one statement stores. */
const RUNS = 12_000;

interface Filled {
  id: number;
  guid: string;
  position: number;
  lineage: string;
  days: number;
}

async function fill(runs: number) {
  const world = retentionWorld(stores.db);
  const exitAgentId = await world.agent(await world.story(DAY));
  const schema = new URL(stores.databaseUrl).pathname.slice(1);
  const target = { db: stores.db, schema };
  await addHistoryStory(target, { exitAgentId });
  await fillHistory(target, { schema, runs, days: { from: 30, to: 3 } }, () => undefined);
  return target;
}

describe('the history that a bench begins with', () => {
  it('is runs of three events each, as if they had happened one after the other', async () => {
    await fill(RUNS);
    const rows = await stores.db.read((session) =>
      session.rows<Filled>(
        `SELECT e.id, r.guid, e.agent_id - 1000000 AS position, e.lineage,
                TIMESTAMPDIFF(SECOND, e.created_at, NOW()) / 86400 + 0E0 AS days
         FROM events e JOIN story_runs r ON r.guid = e.story_run_guid AND r.story_id = e.story_id ORDER BY e.id`,
      ),
    );
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: RUNS * 3 }, (_, index) => index + 1));
    const guids = rows.map(({ guid }) => guid);
    expect(guids).toEqual(guids.toSorted());
    expect(new Set(guids).size).toBe(RUNS);
    expect(
      rows.every(({ guid }) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/.test(guid)),
    ).toBe(true);
    const last = rows.slice(-3);
    expect(last.map(({ position }) => position)).toEqual([0, 1, 2]);
    const [receive = 0, shape = 0] = last.map(({ id }) => id);
    expect(last.map(({ lineage }) => JSON.parse(lineage))).toEqual([
      { receive: 0 },
      { receive, shape: 0 },
      { receive, shape, check: 0 },
    ]);
    expect(rows[0]?.days).toBeCloseTo(30, 1);
    expect(last[0]?.days).toBeCloseTo(3, 1);
  });

  it('goes when its time is shortened, and not before', async () => {
    const target = await fill(500);
    const oldest = await oldestHistory(target);
    await buildRetention(stores.db).pass();
    expect([await countHistory(target), await oldestHistory(target)]).toEqual([1_500, oldest]);
    await keepHistoryFor(target, DAY);
    await buildRetention(stores.db).pass();
    expect(await countHistory(target)).toBe(0);
    expect(await oldestHistory(target)).not.toBe(oldest);
  });
});
