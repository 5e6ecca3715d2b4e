import { isJsonObject, type JsonValue } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { type Parsed, places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

const NOTES: JsonValue[] = [
  { content: 'First', position: [-15, 540], guid: 'note one' },
  { content: 'Second', position: [1, 2], width: 315, colour: 'blue' },
  'no note',
];

async function withStory(overrides: Parameters<typeof buildAccount>[1] = {}, data: object = {}) {
  const account = await buildAccount(stores.db, overrides);
  const put = async (more: object = {}) => {
    const body = { new_name: 'S', team_id: account.team.id, mode: 'versionReplace', ...more };
    const response = await api.call(account.key, 'POST /api/v1/stories/import', body);
    return response.body.id as number;
  };
  const id = await put({ data: smallExport({ diagram_notes: NOTES, ...data }) });
  const call = async (request: string, body?: object): Promise<Parsed> =>
    (await api.call(account.key, request, body)).body;
  const list = async (query = ''): Promise<Parsed[]> =>
    (await call(`GET /api/v1/notes?${query}`)).annotations;
  const exported = async (): Promise<Parsed[]> =>
    (await call(`GET /api/v1/stories/${id}/export`)).diagram_notes;
  return { account, id, put, call, list, exported };
}

it('notes of an import are listed, and keep their ids when a new version has them', async () => {
  const { id, put, list, exported } = await withStory();
  const before = await list();
  expect(before).toEqual([
    {
      id: expect.any(Number),
      story_id: id,
      story_mode: 'LIVE',
      group_id: null,
      guid: 'note one',
      content: 'First',
      position: { x: -15, y: 540 },
      draft_id: null,
      draft_name: null,
    },
    expect.objectContaining({ guid: null, content: 'Second', position: { x: 1, y: 2 } }),
  ]);
  const [first = {}, second = {}] = NOTES.filter(isJsonObject);
  const notes = [second, { content: 'New', position: [0, 0] }, { ...first, content: 'Changed' }];
  await put({ data: smallExport({ diagram_notes: notes }) });
  expect((await list()).map(({ id: each, content }) => [each, content])).toEqual([
    [before[1].id, 'Second'],
    [expect.any(Number), 'New'],
    [before[0].id, 'Changed'],
  ]);
  expect(await exported()).toEqual(notes);
});

it('a note is made, changed, given and deleted; the export has it, and the other keys of others stay', async () => {
  const { id, call, list, exported } = await withStory();
  const made = await call('POST /api/v1/annotations', {
    story_id: id,
    content: '# New',
    position: { x: 30, y: 45.5 },
  });
  expect(made).toMatchObject({ story_id: id, content: '# New', position: { x: 30, y: 45.5 } });
  expect(await call(`GET /api/v1/notes/${made.id}`)).toEqual(made);
  const [first, second] = await list();
  const changed = await call(`PUT /api/v1/notes/${second.id}`, { ...second, content: 'Other' });
  expect(changed).toEqual({ ...second, content: 'Other' });
  await call(`PATCH /api/v1/notes/${first.id}`, { position: { x: 0, y: 0 } });
  expect(await exported()).toEqual([
    { content: 'First', position: [0, 0], guid: 'note one' },
    { content: 'Other', position: [1, 2], width: 315, colour: 'blue' },
    'no note',
    { content: '# New', position: [30, 45.5], guid: made.guid, width: null },
  ]);
  await call(`DELETE /api/v1/notes/${first.id}`);
  expect((await list()).map((note) => note.id)).toEqual([second.id, made.id]);
  expect(await exported()).toHaveLength(3);
  expect(await call(`GET /api/v1/notes/${first.id}`)).toEqual({ errors: [{ message: 'Note not found' }] });
  await call(`DELETE /api/v1/stories/${id}`);
  expect(await list()).toEqual([]);
  const [row] = await stores.db.read((session) =>
    session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM story_notes'),
  );
  expect(row?.n).toBe(0);
});

it('the list is of one story or one team, and of what the caller may see', async () => {
  const one = await withStory({ owner: true });
  const two = await withStory();
  expect(await one.list(`story_id=${one.id}&mode=LIVE&draft_id=`)).toHaveLength(2);
  expect(await one.list(`team_id=${one.account.team.id}&per_page=1&page=2`)).toHaveLength(1);
  for (const query of [`story_id=${two.id}`, `team_id=${two.account.team.id}`]) {
    expect((await api.call(one.account.key, `GET /api/v1/notes?${query}`)).status).toBe(404);
  }
  const [theirs] = await two.list();
  for (const request of [`GET /api/v1/notes/${theirs.id}`, `DELETE /api/v1/notes/${theirs.id}`]) {
    expect((await api.call(one.account.key, request)).status).toBe(404);
  }
  const body = { story_id: two.id, content: 'x' };
  expect((await api.call(one.account.key, 'POST /api/v1/notes', body)).status).toBe(404);
});

it.each([
  [{ content: 5 }, ['content']],
  [{ content: undefined }, ['content']],
  [{ content: 'x', position: { x: 'left', y: 0 } }, ['position.x']],
  [{ content: 'x', group_id: 3, colour: 'red' }, ['group_id', 'colour']],
  [{ content: 'x'.repeat(65_536) }, ['content']],
])('a new note is refused with %j', async (body, wrong) => {
  const { account, id } = await withStory();
  const response = await api.call(account.key, 'POST /api/v1/notes', { story_id: id, ...body });
  expect([response.status, places(response)]).toEqual([422, wrong]);
});

it('a note that would make its story too large for the database is refused', async () => {
  const large = 'x'.repeat(4 * 1024 * 1024 - 40_000);
  const { account, id, exported } = await withStory({}, { pages: [large] });
  const response = await api.call(account.key, 'POST /api/v1/notes', {
    story_id: id,
    content: 'y'.repeat(50_000),
  });
  expect([response.status, places(response)]).toEqual([422, ['content']]);
  expect(await exported()).toHaveLength(3);
});

it('a locked story keeps its notes', async () => {
  const { account, id, list } = await withStory();
  const [note] = await list();
  await stores.sql('UPDATE stories SET locked = TRUE WHERE id = ?', [id]);
  for (const [request, body] of [
    ['POST /api/v1/notes', { story_id: id, content: 'x' }],
    [`PUT /api/v1/notes/${note.id}`, { content: 'x' }],
    [`DELETE /api/v1/notes/${note.id}`, undefined],
  ] as const) {
    expect((await api.call(account.key, request, body)).status).toBe(409);
  }
});

it('a VIEWER reads notes without secrets of webhooks, and writes none', async () => {
  const secret = 'a long secret';
  const agents = [agent('Agents::WebhookAgent', '1', { path: 'p', secret })];
  const notes = [{ content: `Call https://x.example/webhook/p/other or use ${secret}`, position: [0, 0] }];
  const { account, id, list } = await withStory({}, { agents, links: [], diagram_notes: notes });
  expect((await list())[0].content).toContain(secret);
  const { key } = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
  const { body } = await api.call(key, 'GET /api/v1/notes');
  expect(body.annotations[0].content).toBe('Call https://x.example/webhook/p/[hidden] or use [hidden]');
  expect((await api.call(key, 'POST /api/v1/notes', { story_id: id, content: 'x' })).status).toBe(403);
});

it('notes without ids get theirs by the next change of a note', async () => {
  const { id, call, list } = await withStory();
  await stores.sql('DELETE FROM story_notes', []);
  await call('POST /api/v1/notes', { story_id: id, content: 'Third' });
  expect((await list()).map(({ content }) => content)).toEqual(['First', 'Second', 'Third']);
});
