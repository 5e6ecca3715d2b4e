import { createValueIndexer } from '../../src/observe/search/values/value-indexer.js';
import {
  findIndexFreshness,
  findIndexState,
  indexLagSeconds,
} from '../../src/observe/search/values/index-position-store.js';
import { readFirstEvents } from '../../src/observe/search/values/first-events-store.js';
import { findDigests, findIndexedRuns } from '../../src/observe/search/values/indexed-runs-store.js';
import { storeRunValues } from '../../src/observe/search/values/run-value-store.js';
import { leafDigest, matchDigests } from '../../src/observe/search/values/value-digest.js';
import { findUncounted } from '../../src/observe/statistics/count/uncounted-store.js';
import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import type { Database } from '../../src/platform/mysql/database.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { retentionWorld } from '../support/retention.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const TENANT = 1;
const RUNS_AT_ONCE = 100;

const indexer = (
  options: { holdBackSeconds?: number; database?: Pick<Database, 'read' | 'transaction'> } = {},
) =>
  createValueIndexer({
    database: stores.db,
    secretsOf: () => Promise.resolve(() => false),
    logger: stores.logger,
    ...options,
  });

/** Stores runs of a story, each with an event that holds its number; returns the story. */
async function storeRuns(count: number, secondsAgo = 600): Promise<number> {
  const storyId = await retentionWorld(stores.db).story();
  const numbers = JSON.stringify(Array.from({ length: count }, (_value, n) => n));
  const from = "JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v";
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source, created_at)
     SELECT CONCAT(?, '-', v.n), ?, 'api', NOW(3) - INTERVAL ? SECOND FROM ${from}`,
    [storyId, storyId, secondsAgo, numbers],
  );
  await stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage, created_at)
     SELECT CONCAT(?, '-', v.n), ?, 0, CONCAT('{"same":"s","n":', v.n, '}'), '{}', NOW(3) - INTERVAL ? SECOND FROM ${from}`,
    [storyId, storyId, secondsAgo, numbers],
  );
  return storyId;
}

const rowsOf = async () =>
  (
    await stores.db.read((session) =>
      session.rows<{ count: number }>('SELECT COUNT(*) AS count FROM run_values'),
    )
  )[0]!.count;

/** Ends like a process that is killed in its first transaction. */
const dies = (when: 'before' | 'after'): Pick<Database, 'read' | 'transaction'> => ({
  read: (work) => stores.db.read(work),
  transaction: async (work) => {
    await stores.db.transaction(async (session) => {
      await work(session);
      if (when === 'before') throw new Error('killed');
    });
    throw new Error('killed');
  },
});

it('indexes each run once, however many do it, in pages with a rest between them', async () => {
  await storeRuns(2 * RUNS_AT_ONCE + 10);
  const first = await indexer().tick();
  expect([first > 0, await rowsOf()]).toEqual([true, 2 * RUNS_AT_ONCE]);
  for (let pass = 0; pass < 4; pass += 1) await Promise.all([indexer().tick(), indexer().tick()]);
  expect(await rowsOf()).toBe(2 * (2 * RUNS_AT_ONCE + 10));
});

it('goes on where it stopped, and begins anew once its rows and its position are gone', async () => {
  await storeRuns(10);
  await indexer().tick();
  await storeRuns(10);
  await indexer().tick();
  expect(await rowsOf()).toBe(2 * 20);
  await stores.sql('TRUNCATE run_values');
  await stores.sql("DELETE FROM counting_positions WHERE name = 'run_values'");
  await indexer().tick();
  expect(await rowsOf()).toBe(2 * 20);
});

it('skips and doubles nothing when the process ends before COMMIT, or after it', async () => {
  await storeRuns(30);
  await expect(indexer({ database: dies('before') }).tick()).rejects.toThrow('killed');
  expect(await rowsOf()).toBe(0);
  await expect(indexer({ database: dies('after') }).tick()).rejects.toThrow('killed');
  expect(await rowsOf()).toBe(60);
  await storeRuns(5);
  await indexer().tick();
  await indexer().tick();
  expect(await rowsOf()).toBe(70);
});

it('waits for runs that become visible after runs with higher ids', async () => {
  const storyId = await storeRuns(1);
  await stores.db.transaction(async (session) => {
    await session.run(
      "INSERT INTO story_runs (guid, story_id, source, created_at) VALUES ('slow', ?, 'api', NOW(3) - INTERVAL 600 SECOND)",
      [storyId],
    );
    await session.run(
      `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES ('slow', ?, 0, '{"a":1}', '{}')`,
      [storyId],
    );
    await storeRuns(1);
    await indexer().tick();
    expect(await rowsOf()).toBe(0);
  });
  await indexer().tick();
  expect(await rowsOf()).toBe(5);
});

it('leaves young runs for later, and tells until when it has come', async () => {
  await storeRuns(3, 6_000);
  await storeRuns(1, 60);
  expect(await stores.db.read(indexLagSeconds)).toBeGreaterThanOrEqual(6_000);
  await indexer({ holdBackSeconds: 3_000 }).tick();
  expect(await rowsOf()).toBe(6);
  const { now, indexedUntil } = await stores.db.read(findIndexFreshness);
  const lag = now.getTime() - indexedUntil.getTime();
  expect([lag >= 60_000, lag < 6_000_000]).toEqual([true, true]);
  await indexer().tick();
  expect(await stores.db.read(indexLagSeconds)).toBe(0);
});

it('takes at most 64 values of a run, and none of a large payload or a deleted event', async () => {
  const storyId = await storeRuns(3);
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_value, n) => [`k${n}`, n])));
  const large = JSON.stringify({ id: 'x', text: 'y'.repeat(256 * 1024) });
  await stores.sql('UPDATE events SET payload = ? WHERE story_run_guid = ?', [many, `${storyId}-0`]);
  await stores.sql('UPDATE events SET payload = ? WHERE story_run_guid = ?', [large, `${storyId}-1`]);
  await stores.sql('DELETE FROM events WHERE story_run_guid = ?', [`${storyId}-2`]);
  await indexer().tick();
  expect(await rowsOf()).toBe(64);
  await stores.db.transaction((session) =>
    storeRunValues(session, [{ runId: 1, eventId: 999_999_999, digests: [Buffer.alloc(10)] }]),
  );
  expect(await rowsOf()).toBe(64);
});

it('reads large payloads in several pages', async () => {
  await storeRuns(40);
  const payload = JSON.stringify({ text: 'y'.repeat(200 * 1024), id: 'x' });
  await stores.sql('UPDATE events SET payload = ?', [payload]);
  await indexer().tick();
  expect(await rowsOf()).toBeLessThan(40);
  await indexer().tick();
  await indexer().tick();
  expect(await rowsOf()).toBe(40);
});

it('asks once and writes nothing when there is nothing to index', async () => {
  await storeRuns(1);
  await indexer().tick();
  let statements = 0;
  const database: Pick<Database, 'read' | 'transaction'> = {
    read: (work) =>
      stores.db.read((session) =>
        work({
          ...session,
          rows: (sql, values) => {
            statements += 1;
            return session.rows(sql, values);
          },
          run: () => Promise.reject(new Error('wrote')),
        }),
      ),
    transaction: () => Promise.reject(new Error('wrote')),
  };
  await indexer({ database }).tick();
  expect(statements).toBe(1);
});

it('leaves the counting of statistics alone', async () => {
  await storeRuns(1);
  await indexer().tick();
  await createStatisticsCounter({ database: stores.db, keptDays: 90, logger: stores.logger }).tick();
  expect(await stores.db.read(findUncounted)).toEqual([]);
});

const planOf = (rows: PlanRow[]) =>
  rows
    .filter(({ table }) => table !== null && !table.startsWith('<'))
    .map(({ table, type, key }) => `${table}:${type === 'ALL' ? 'ALL' : key}`)
    .join(' ');

it('works by primary keys and the index of digests, with many rows', async () => {
  const storyId = await storeRuns(10_000);
  const [last] = await stores.db.read((session) =>
    session.rows<{ id: number }>('SELECT MAX(id) AS id FROM story_runs'),
  );
  for (let rest = 1; rest > 0; ) {
    await indexer().tick();
    const state = await stores.db.read(findIndexState);
    rest = last!.id - (state?.afterId ?? 0);
  }
  await stores.sql('ANALYZE TABLE events, story_runs, run_values');
  const asked = matchDigests(TENANT, { path: undefined, value: 's' })!;
  const filter = {
    tenantId: TENANT,
    teamIds: [1],
    storyId,
    ofDrafts: false,
    source: undefined,
    status: undefined,
    since: undefined,
    until: undefined,
  };
  const after = { id: last!.id, createdAt: new Date() };
  const digests = [leafDigest(TENANT, { path: '$."same"', text: 's' })];
  expect(await stores.db.read((session) => findDigests(session, asked))).toEqual(digests);
  const page = { after, limit: 50 };
  const found = await stores.db.read((session) =>
    findIndexedRuns(session, { digests, filter, known: undefined }, page),
  );
  expect(found.candidates.map(({ id }) => id)).toEqual(
    Array.from({ length: 50 }, (_value, n) => last!.id - 1 - n),
  );
  const plans = [
    ...(await plansOf(stores.db, (session) => findDigests(session, asked), planOf)),
    ...(await plansOf(
      stores.db,
      (s) => findIndexedRuns(s, { digests, filter, known: undefined }, page),
      planOf,
    )),
    ...(await plansOf(stores.db, findIndexFreshness, planOf)),
    ...(await plansOf(
      stores.db,
      (session) => readFirstEvents(session, { afterId: last!.id - 100, limit: 100, holdBackSeconds: 0 }),
      planOf,
    )),
  ];
  expect(plans.join('\n')).not.toMatch(/(?<!stories|\bs):ALL|null/);
});
