import { type Account, buildAccount } from '../../support/builders.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { smallExport, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
});

async function send(request: string, body?: unknown, headers: Record<string, string> = {}): Promise<Parsed> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(api.fabula().url + path, {
    method,
    headers: { 'x-user-token': account.key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, etag: response.headers.get('etag'), body: await response.json() };
}

async function importStory(data: Parsed, new_name = 'Triage'): Promise<{ id: number; path: string }> {
  const { id } = (await send('POST /api/v1/stories/import', { new_name, team_id: account.team.id, data }))
    .body;
  return { id, path: `/api/v1/stories/${id}/export` };
}

const exported = (path: string) => send(`GET ${path}`);
const pathOf = (story: Parsed) => story.agents[0].options.path;
let made = 0;
const chain = (): Parsed =>
  storyOf(
    {
      Receive: ['Webhook', { path: `replaced-${++made}`, secret: 'open sesame', verbs: 'post' }],
      Mark: ['EventTransformation', { mode: 'message_only', payload: { n: '=receive.body.n' } }],
    },
    ['Receive > Mark'],
  );

describe('stories as software: replacing a story with an export', () => {
  it('gives back the same story, with the same version tag rules as the graph', async () => {
    const { path } = await importStory(chain());
    const before = await exported(path);

    const put = await send(`PUT ${path}`, { data: before.body }, { 'if-match': before.etag });
    const after = await exported(path);

    expect(put.status).toBe(200);
    expect(after.etag).toBe(put.etag);
    expect({ ...after.body, exported_at: '' }).toEqual({ ...before.body, exported_at: '' });
    expect((await send(`PUT ${path}`, { data: before.body }, { 'if-match': before.etag })).status).toBe(412);
    expect((await exported(path)).etag).toBe(after.etag);
  });

  it('keeps guids, addresses and secrets of actions, takes new guids, and renames the story', async () => {
    const { id, path } = await importStory(chain());
    const { body: story } = await exported(path);
    const hidden = structuredClone(story);
    hidden.agents[0].options.secret = '[hidden]';
    hidden.agents[1].name = 'Mark it';
    hidden.name = 'Other name';
    const guid = 'd'.repeat(28) + String(made).padStart(4, '0');
    hidden.agents.push({ type: 'Agents::TriggerAgent', name: 'New', guid, options: { rules: [] } });
    hidden.links.push({ source: 1, receiver: 2 });

    const put = await send(`PUT ${path}`, { data: hidden, description: 'Commit 1' });

    const { body: now } = await exported(path);
    expect(put.body).toMatchObject({ id, name: 'Other name' });
    expect(now.agents.map((agent: Parsed) => agent.guid)).toEqual([
      story.agents[0].guid,
      story.agents[1].guid,
      guid,
    ]);
    expect(now.agents[0].options).toEqual(story.agents[0].options);
    const { body: versions } = await send(`GET /api/v1/stories/${id}/versions`);
    expect(versions.story_versions[0]).toMatchObject({ source: 'files', description: 'Commit 1' });
  });

  it('notes that files have the present state as a version, once, and leaves the others as they are', async () => {
    const { id, path } = await importStory(chain());
    const { body: story } = await exported(path);

    await send(`PUT ${path}`, { data: story, description: 'Commit 1' });
    await send(`PUT ${path}`, { data: story, description: 'Commit 2' });

    const { body: versions } = await send(`GET /api/v1/stories/${id}/versions`);
    expect(versions.story_versions).toMatchObject([
      { source: 'files', description: 'Commit 2' },
      { source: 'import', description: null },
    ]);
  });

  it('keeps what stands for a story that was imported with it', async () => {
    const inner = { ...smallExport(), name: `Inner ${++made}`, agents: [], links: [] };
    const { path } = await importStory({ ...chain(), send_to_stories: [inner] });
    const { body: story } = await exported(path);
    const listed = await send(`GET /api/v1/stories?search=${encodeURIComponent(inner.name)}`);
    const innerId = listed.body.stories[0].id;

    await send(`PUT ${path}`, { data: story });
    await send(`PUT /api/v1/stories/${innerId}`, { description: 'Newer' });

    expect((await exported(path)).body.send_to_stories).toMatchObject([{ description: 'Newer' }]);
  });

  it('replaces a draft, which keeps its name and its own webhook addresses', async () => {
    const { id, path } = await importStory(chain());
    const draft = (await send(`POST /api/v1/stories/${id}/drafts`, { name: 'Try' })).body;
    const { body: live } = await exported(path);
    const { body: before } = await exported(`${path}?draft_id=${draft.id}`);
    const changed = structuredClone(live);
    changed.name = 'Another';
    changed.agents[1].options.payload = { n: 2 };

    const put = await send(`PUT ${path}?draft_id=${draft.id}`, { data: changed });

    const { body: after } = await exported(`${path}?draft_id=${draft.id}`);
    expect(put.status).toBe(200);
    expect(pathOf(after)).toBe(pathOf(before));
    expect(after.agents.map(({ guid }: Parsed) => guid)).toEqual(
      before.agents.map(({ guid }: Parsed) => guid),
    );
    expect(after.agents[1].options.payload).toEqual({ n: 2 });
    expect((await exported(path)).body.agents[1].options.payload).toEqual({ n: '=receive.body.n' });
    const published = await send(`POST /api/v1/drafts/${draft.id}/publish`, {});
    expect(published.body).toMatchObject({ name: 'Triage' });
    const { body: now } = await exported(path);
    expect(now.agents.map(({ guid }: Parsed) => guid)).toEqual(live.agents.map(({ guid }: Parsed) => guid));
    expect(pathOf(now)).toBe(pathOf(live));
  });

  it('refuses a story that is locked or under change control, and one of others', async () => {
    const { id, path } = await importStory(chain());
    const { body: before } = await exported(path);
    const data = { ...before, description: 'Another' };
    for (const key of ['locked', 'change_control_enabled']) {
      await send(`PUT /api/v1/stories/${id}`, { [key]: true });
      expect((await send(`PUT ${path}`, { data })).status).toBe(409);
      expect((await exported(path)).body.description).toBe(before.description);
      await send(`PUT /api/v1/stories/${id}`, { [key]: false });
    }
    const { team } = account;
    const viewer = await buildAccount(stores.db, { tenantId: team.tenantId, team, role: 'VIEWER' });
    const other = await buildAccount(stores.db);
    expect((await api.call(viewer.key, `PUT ${path}`, { data })).status).toBe(403);
    expect((await api.call(other.key, `PUT ${path}`, { data })).status).toBe(404);
  });

  it('notes that files have the story, also under change control', async () => {
    const { id, path } = await importStory(chain());
    await send(`PUT /api/v1/stories/${id}`, { change_control_enabled: true });
    const { body: data } = await exported(path);

    expect((await send(`PUT ${path}`, { data })).status).toBe(200);

    const { story_versions: versions } = (await send(`GET /api/v1/stories/${id}/versions`)).body;
    expect(versions).toMatchObject([{ source: 'files' }, { source: 'import' }]);
    expect({ ...(await exported(path)).body, exported_at: '' }).toEqual({ ...data, exported_at: '' });
  });

  it('tells nobody who may not change the story of faults in the export', async () => {
    const { path } = await importStory(chain());
    const { team } = account;
    const viewer = await buildAccount(stores.db, { tenantId: team.tenantId, team, role: 'VIEWER' });
    const other = await buildAccount(stores.db);
    for (const data of [{ agents: 'none' }, { ...chain(), fabula_tests: [{ name: 'Half' }] }]) {
      expect((await api.call(account.key, `PUT ${path}`, { data })).status).toBe(422);
      expect((await api.call(viewer.key, `PUT ${path}`, { data })).status).toBe(403);
      expect((await api.call(other.key, `PUT ${path}`, { data })).status).toBe(404);
    }
  });

  it('gives tests the new names of actions, unless another action has the old one', async () => {
    const { path } = await importStory(chain());
    const { body: story } = await exported(path);
    const ofMark = { name: 'Marks', expect: { events: { Mark: [{ n: 1 }] } } };
    const renamed = structuredClone({ ...story, fabula_tests: [ofMark] });
    renamed.agents[1].name = 'Sign';

    await send(`PUT ${path}`, { data: renamed });

    const { body: after } = await exported(path);
    expect(after.fabula_tests).toEqual([{ name: 'Marks', expect: { events: { Sign: [{ n: 1 }] } } }]);
    after.agents[0].name = 'Sign';
    after.agents[1].name = 'Mark';
    await send(`PUT ${path}`, { data: after });
    expect((await exported(path)).body.fabula_tests).toEqual(after.fabula_tests);
  });

  it('names every fault of the export', async () => {
    const { path } = await importStory(chain());

    const { status, body } = await send(`PUT ${path}`, {
      data: {
        schema_version: 3,
        agents: [{ type: 'x', name: 'A', options: {} }],
        links: [{ source: 0, receiver: 4 }],
      },
    });

    expect(status).toBe(422);
    expect(body.errors.map((error: Parsed) => error.details)).toEqual(
      expect.arrayContaining(['data.agents[0].type', 'data.links[0].receiver']),
    );
  });
});
