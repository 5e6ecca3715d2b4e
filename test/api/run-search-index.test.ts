import { createSilentLogger } from '../../src/platform/logger.js';
import { createKnownSecrets } from '../../src/observe/search/values/known-secrets.js';
import { createValueIndexer } from '../../src/observe/search/values/value-indexer.js';
import { type Account, buildAccount } from '../support/builders.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { buildRetention } from '../support/retention.js';
import { call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { credentialsOf } from '../support/credentials.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const story = storyOf({ Hook: ['Webhook', {}], Say: says({ later: '=hook.body.later' }) }, ['Hook > Say']);
const ALERT = {
  alerts: [{ id: 'A-1' }, { id: 'ABC-123', url: 'https://example.test/a"b' }],
  severity: 5.5,
  open: true,
  later: 'L-7',
};

/** Runs that one request looks at. */
const MOST_LOOKED_AT = 2_000;
const LATER = MOST_LOOKED_AT + 300;

async function fire(client: ReturnType<TestFabula['as']>, body: object) {
  const { id, webhooks } = await client.importStory(story);
  const response = await client.fire(webhooks['Hook']!, body);
  await fabula.settled();
  return { id, guid: response.headers.get('x-service-story-run')! };
}

/** Stores runs that began after all others, each with one event. */
async function addLaterRuns(storyId: number, count = LATER) {
  const numbers = JSON.stringify(Array.from({ length: count }, (_value, n) => n));
  const from = "JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v";
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source) SELECT CONCAT('later-', v.n), ?, 'api' FROM ${from}`,
    [storyId, numbers],
  );
  await stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage)
     SELECT CONCAT('later-', v.n), ?, 0, CONCAT('{"n":', v.n, '}'), '{}' FROM ${from}`,
    [storyId, numbers],
  );
}

const indexer = () =>
  createValueIndexer({
    database: stores.db,
    secretsOf: createKnownSecrets(credentialsOf(stores), createSilentLogger()),
    holdBackSeconds: 0,
    logger: stores.logger,
  });

const rowsLeft = async () => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ rows: number; newest: number; at: number }>(
      `SELECT (SELECT COUNT(*) FROM run_values) AS \`rows\`, (SELECT MAX(id) FROM story_runs) AS newest,
              (SELECT after_id FROM counting_positions WHERE name = 'run_values') AS at`,
    ),
  );
  return row!;
};

/** Indexes all runs, with no pause between pages. */
async function indexAll(by = indexer()) {
  await by.tick();
  for (let state = await rowsLeft(); state.at < state.newest; state = await rowsLeft()) await by.tick();
}

async function search(
  query: Record<string, string>,
  { as, on = fabula }: { as?: Account; on?: TestFabula } = {},
) {
  const response = await call(
    on,
    `GET /api/v1/runs?${new URLSearchParams(query).toString()}`,
    as === undefined ? {} : { as },
  );
  const runs = (response.body.story_runs ?? []) as { guid: string }[];
  return { meta: response.body.meta, guids: runs.map(({ guid }) => guid) };
}

it.each([
  [{ path: 'body.alerts[1].id', value: 'ABC-123' }],
  [{ value: 'ABC-123' }],
  [{ path: 'body.alerts[1].url', value: 'https://example.test/a"b' }],
  [{ value: 'https://example.test/a"b' }],
  [{ path: 'body.severity', value: '5.5' }],
  [{ value: '5.50' }],
  [{ path: 'body.open', value: 'true' }],
])('finds a run by %j after thousands of later ones', async (query) => {
  const { id, guid } = await fire(fabula, ALERT);
  await addLaterRuns(id);
  const before = await search(query);
  expect([before.guids, before.meta.complete]).toEqual([[], false]);
  // How far it came is told, also where no index goes on.
  const { meta: ofPath } = await search({ path: 'nowhere.at.all' });
  expect(ofPath).toMatchObject({ complete: false, indexed_until: null, next_before: expect.any(String) });
  expect(Date.parse(ofPath.looked_since)).toBeLessThanOrEqual(Date.now());
  await indexAll();
  const { guids, meta } = await search(query);
  expect([guids, meta]).toEqual([
    [guid],
    expect.objectContaining({
      next_before: null,
      complete: true,
      indexed_until: expect.any(String),
      looked_since: expect.any(String),
    }),
  ]);
  expect((await search({ ...query, story_id: String(id) })).guids).toEqual([guid]);
  expect((await search({ ...query, until: '2020-01-01' })).guids).toEqual([]);
  expect((await search({ ...query, status: 'cancelled' })).guids).toEqual([]);
});

it('compares what the index finds with the payload', async () => {
  const { id, guid } = await fire(fabula, ALERT);
  await addLaterRuns(id);
  await indexAll();
  // The same value in another element, and a run whose event says something else by now.
  expect((await search({ path: 'body.alerts[0].id', value: 'ABC-123' })).guids).toEqual([]);
  expect((await search({ path: 'alerts[1].id', value: 'ABC-123' })).guids).toEqual([]);
  expect((await search({ value: 'abc-123' })).guids).toEqual([]);
  await stores.sql('UPDATE events SET payload = \'{"id":"other"}\' WHERE story_run_guid = ?', [guid]);
  expect((await search({ value: 'ABC-123' })).guids).toEqual([]);
  expect((await search({ path: 'body.alerts[1].id', value: 'ABC-123' })).guids).toEqual([]);
});

it('goes page by page from what it looks at to the index', async () => {
  const { id, webhooks } = await fabula.importStory(story);
  const guids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const response = await fabula.fire(webhooks['Hook']!, { id: 'same' });
    guids.push(response.headers.get('x-service-story-run')!);
  }
  await fabula.settled();
  await addLaterRuns(id);
  const recent = await fabula.fire(webhooks['Hook']!, { id: 'same' });
  await fabula.settled();
  await indexAll();
  guids.push(recent.headers.get('x-service-story-run')!);
  for (const scope of [{}, { story_id: String(id) }]) {
    const found: string[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const page: Record<string, string> = { ...scope, value: 'same', per_page: '2' };
      const response = await search(before === '' ? page : { ...page, before });
      found.push(...response.guids);
      before = response.meta.next_before;
    }
    expect(found).toEqual(guids.toReversed());
  }
});

it('finds old and recent runs on any web process while the index is behind, and says what it left out', async () => {
  const { id, guid } = await fire(fabula, ALERT);
  await indexAll();
  await addLaterRuns(id);
  const recent = await fire(fabula, ALERT);
  const second = await startFabula(stores, { queues: [], relay: false });
  for (const on of [fabula, second]) {
    const { guids, meta } = await search({ value: 'ABC-123' }, { on, as: fabula.account });
    expect([guids, meta.complete]).toEqual([[recent.guid, guid], false]);
    expect(Date.parse(meta.indexed_until)).toBeLessThanOrEqual(Date.parse(meta.looked_since));
  }
  const nothing = await search({ value: 'nowhere' });
  expect([nothing.guids, nothing.meta.complete, nothing.meta.next_before]).toEqual([
    [],
    false,
    expect.any(String),
  ]);
  await indexAll();
  expect((await search({ value: 'ABC-123' })).meta.complete).toBe(true);
});

it('finds a value of a later event where it looks, not beyond', async () => {
  const { id, guid } = await fire(fabula, ALERT);
  await indexAll();
  expect((await search({ path: 'later', value: 'L-7' })).guids).toEqual([guid]);
  await addLaterRuns(id);
  await indexAll();
  expect((await search({ path: 'later', value: 'L-7' })).guids).toEqual([]);
  expect((await search({ path: 'body.later', value: 'L-7' })).guids).toEqual([guid]);
});

it('shows other tenants and teams nothing, also with the same value', async () => {
  const { id, guid } = await fire(fabula, ALERT);
  const stranger = await buildAccount(stores.db, { owner: true });
  const colleague = await buildAccount(stores.db, { tenantId: fabula.account.tenantId });
  const theirs = await fire(fabula.as(stranger), ALERT);
  await addLaterRuns(id);
  await addLaterRunsOf(theirs.id);
  await indexAll();
  for (const query of [{ value: 'ABC-123' }, { path: 'body.alerts[1].id', value: 'ABC-123' }]) {
    expect((await search(query)).guids).toEqual([guid]);
    expect((await search(query, { as: stranger })).guids).toEqual([theirs.guid]);
    expect((await search(query, { as: colleague })).guids).toEqual([]);
  }
});

/** The later runs change hands. */
const addLaterRunsOf = (storyId: number) =>
  stores.sql("UPDATE story_runs SET story_id = ? WHERE guid LIKE 'later-%5'", [storyId]);

it('forgets runs whose events retention or a request removes, and those of a deleted story', async () => {
  const { id, guid } = await fire(fabula, ALERT);
  const removed = await fire(fabula, ALERT);
  const kept = await fire(fabula, ALERT);
  await indexAll();
  const all = (await rowsLeft()).rows;
  expect(all).toBeGreaterThan(0);
  await stores.sql('UPDATE events SET created_at = NOW(3) - INTERVAL 400 DAY WHERE story_run_guid = ?', [
    guid,
  ]);
  await stores.sql('UPDATE story_runs SET created_at = NOW(3) - INTERVAL 400 DAY WHERE guid = ?', [guid]);
  const { body } = await call(fabula, `GET /api/v1/stories/${removed.id}/agents?per_page=500`);
  const hook = (body as { agents: { id: number; name: string }[] }).agents.find(
    ({ name }) => name === 'Hook',
  )!;
  await call(fabula, `DELETE /api/v1/actions/${hook.id}/remove_events`);
  await buildRetention(stores.db).pass({ thorough: true });
  expect((await rowsLeft()).rows).toBe(all / 3);
  await addLaterRuns(id);
  await indexAll();
  expect((await search({ value: 'ABC-123' })).guids).toEqual([kept.guid]);
  await fabula.api('DELETE', `/api/v1/stories/${kept.id}`);
  await fabula.api('DELETE', `/api/v1/stories/${id}`);
  await buildRetention(stores.db).pass({ thorough: true });
  expect((await rowsLeft()).rows).toBe(0);
});

it('never indexes secrets, nor headers that authenticate', async () => {
  const secret = 'correct horse battery';
  const made = await call(fabula, 'POST /api/v1/user_credentials', {
    body: { name: 'Horse', mode: 'TEXT', team_id: fabula.account.team.id, value: secret },
  });
  expect(made.status).toBe(201);
  const { id } = await fire(fabula, {
    whole: secret,
    part: `Bearer ${secret}`,
    encoded: Buffer.from(secret).toString('base64'),
    headers: { Authorization: 'token-of-a-caller' },
  });
  const plain = await fire(fabula, { whole: 'not a secret' });
  await addLaterRuns(id);
  await indexAll();
  for (const value of [
    secret,
    `Bearer ${secret}`,
    Buffer.from(secret).toString('base64'),
    'token-of-a-caller',
  ]) {
    expect((await search({ value })).guids).toEqual([]);
  }
  expect((await search({ value: 'not a secret' })).guids).toEqual([plain.guid]);
});

it('neither indexes nor uses the index when it is off', async () => {
  const off = await startFabula(stores, { env: { RUN_SEARCH_INDEX: 'off' } });
  expect([await fabula.inner.indexesValues(), await off.inner.indexesValues()]).toEqual([true, false]);
  const { id } = await fire(fabula, ALERT);
  await addLaterRuns(id);
  await indexAll();
  const { guids, meta } = await search({ value: 'ABC-123' }, { on: off, as: fabula.account });
  expect([guids, meta.complete, meta.indexed_until]).toEqual([[], false, null]);
});
