import { databasePath } from '../../src/observe/search/payload-path.js';
import { type Account, buildAccount } from '../support/builders.js';
import { places } from '../support/manage-api.js';
import { call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const small = storyOf({ Hook: ['Webhook', {}], Say: says({ n: '=hook.body.n' }) }, ['Hook > Say']);
const failing = storyOf({ Hook: ['Webhook', {}], Mail: ['Email', {}] }, ['Hook > Mail']);

/** Imports the story and calls its webhook with each body; returns the runs' guids, oldest first. */
async function ran(data: ReturnType<typeof storyOf>, bodies: object[]) {
  const story = await fabula.importStory(data);
  const guids: string[] = [];
  for (const body of bodies) {
    const response = await fabula.fire(story.webhooks['Hook']!, body);
    guids.push(response.headers.get('x-service-story-run')!);
  }
  await fabula.settled();
  return { id: story.id, guids };
}

async function search(query: string, as?: Account) {
  const response = await call(fabula, `GET /api/v1/runs?${query}`, as === undefined ? {} : { as });
  const runs = (response.body.story_runs ?? []) as { guid: string }[];
  return { response, meta: response.body.meta, guids: runs.map(({ guid }) => guid) };
}

it('finds the runs of all stories of the key, newest first, page by page', async () => {
  const one = await ran(small, [{ n: 1 }, { n: 2 }]);
  const two = await ran(small, [{ n: 3 }]);
  const newestFirst = [...one.guids, ...two.guids].toReversed();
  expect((await search('')).guids).toEqual(newestFirst);
  const first = await search('per_page=2');
  expect([first.guids, first.meta]).toEqual([
    newestFirst.slice(0, 2),
    {
      per_page: 2,
      next_before: expect.any(String),
      looked_at: 2,
      complete: true,
      indexed_until: null,
      looked_since: null,
    },
  ]);
  const second = await search(`per_page=2&before=${first.meta.next_before}`);
  expect([second.guids, second.meta.next_before]).toEqual([newestFirst.slice(2), null]);
});

it('ends a page that is just full, and follows the index of one story', async () => {
  const { id, guids } = await ran(small, [{ n: 1 }, { n: 2 }]);
  await ran(small, [{ n: 3 }]);
  const { meta, guids: found } = await search(`story_id=${id}&per_page=2`);
  expect([found, meta.next_before]).toEqual([guids.toReversed(), null]);
  const first = await search(`story_id=${id}&per_page=1`);
  const second = await search(`story_id=${id}&per_page=1&before=${first.meta.next_before}`);
  expect([first.guids, second.guids]).toEqual([[guids[1]], [guids[0]]]);
});

it('tells runs by status, source, time and duration', async () => {
  const good = await ran(small, [{ n: 1 }]);
  const bad = await ran(failing, [{}]);
  expect((await search('status=failed')).guids).toEqual(bad.guids);
  expect((await search('status=completed')).guids).toEqual(good.guids);
  expect((await search('status=running')).guids).toEqual([]);
  expect((await search('source=schedule')).guids).toEqual([]);
  expect((await search('source=webhook&until=2020-01-01')).guids).toEqual([]);
  expect((await search('since=2020-01-01')).guids).toHaveLength(2);
  expect((await search('min_duration=3600')).guids).toEqual([]);
  expect((await search('max_duration=3600&status=completed')).guids).toEqual(good.guids);
});

it('finds runs by a value in the payload of one of their events', async () => {
  const { guids } = await ran(small, [{ n: 7, alerts: [{ id: 'A-1' }, { id: 'A-17' }] }, { n: 8 }]);
  expect((await search('path=body.alerts[1].id&value=A-17')).guids).toEqual([guids[0]]);
  expect((await search('path=body.alerts[1].id&value=A-1')).guids).toEqual([]);
  expect((await search('path=n&value=8')).guids).toEqual([guids[1]]);
  expect((await search('path=body.alerts')).guids).toEqual([guids[0]]);
  expect((await search('path=body.nothing')).guids).toEqual([]);
});

it('passes over payloads that the database cannot read', async () => {
  const story = await fabula.importStory(small);
  const response = await fetch(`${fabula.url}/webhook/${story.webhooks['Hook']}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":1e400}',
  });
  expect(response.status).toBe(201);
  await fabula.settled();
  expect((await search('path=body.n&value=7')).response.status).toBe(200);
});

it('shows runs of drafts only when they are asked for', async () => {
  const { id, guids } = await ran(small, [{ n: 1 }]);
  const draft = (await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Try' } })).body;
  const run = (await call(fabula, `POST /api/v1/stories/${draft.id}/runs`, { body: { payload: {} } })).body;
  await fabula.settled();
  expect((await search('')).guids).toEqual(guids);
  expect((await search('story_mode=TEST')).guids).toEqual([run.guid]);
  expect((await search(`story_id=${draft.id}`)).guids).toEqual([run.guid]);
});

it('shows nobody the runs of others', async () => {
  const { id } = await ran(small, [{ n: 1 }]);
  const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId });
  const stranger = await buildAccount(stores.db, { owner: true });
  for (const as of [other, stranger]) {
    expect((await search('', as)).guids).toEqual([]);
    expect((await search(`story_id=${id}`, as)).response.status).toBe(404);
    expect((await search(`team_id=${fabula.account.team.id}`, as)).response.status).toBe(404);
  }
});

it('refuses by name what it cannot search for', async () => {
  const wrong = 'status=done&min_duration=-1&path=a..b&before=yesterday&per_page=101&colour=red';
  expect(new Set(places((await search(wrong)).response as never))).toEqual(
    new Set(['status', 'min_duration', 'path', 'before', 'per_page', 'colour']),
  );
});

it.each([
  ['body', '$."body"'],
  ['body.alerts[0].id', '$."body"."alerts"[0]."id"'],
  ['[1][2].x', '$[1][2]."x"'],
  ['häus er.$x', '$."häus er"."$x"'],
  ['', undefined],
  ['a.', undefined],
  ['.a', undefined],
  ['a[b]', undefined],
  ['a"b', undefined],
  ['a[1]b', undefined],
])('reads the path %j', (path, expected) => {
  expect(databasePath(path)).toBe(expected);
});
