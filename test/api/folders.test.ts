import { buildAccount, buildTeam } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const FOLDERS = '/api/v1/folders';

async function world(overrides: Parameters<typeof buildAccount>[1] = {}) {
  const account = await buildAccount(stores.db, overrides);
  const { key } = account;
  const make = async (body: object) => (await api.call(key, `POST ${FOLDERS}`, { name: 'F', ...body })).body;
  const story = async () =>
    (
      await api.call(key, 'POST /api/v1/stories/import', {
        new_name: 'Triage',
        data: smallExport(),
        team_id: account.team.id,
      })
    ).body;
  return { account, key, make, story };
}

it('are made, given, listed, renamed and deleted; what is in them stays', async () => {
  const { account, key, story } = await world();
  const path = `/api/v1/stories/${(await story()).id}`;
  const folder = (await api.call(key, `POST ${FOLDERS}`, { name: ' Phishing ' })).body;
  expect(folder).toEqual({
    id: expect.any(Number),
    name: 'Phishing',
    team_id: account.team.id,
    content_type: 'STORY',
    parent_folder_id: null,
    size: 0,
    created_at: TIME,
    updated_at: TIME,
  });
  await api.call(key, `PUT ${path}`, { folder_id: folder.id });
  const full = { ...folder, size: 1 };
  expect((await api.call(key, `GET ${FOLDERS}/${folder.id}`)).body).toEqual(full);
  expect((await api.call(key, `GET ${FOLDERS}?team_id=${account.team.id}`)).body.folders).toEqual([full]);
  const renamed = (await api.call(key, `PUT ${FOLDERS}/${folder.id}`, { name: 'Spam' })).body;
  expect(renamed).toEqual({ ...full, name: 'Spam', updated_at: TIME });
  expect((await api.call(key, `DELETE ${FOLDERS}/${folder.id}`)).status).toBe(204);
  expect((await api.call(key, `GET ${path}`)).body.folder_id).toBeNull();
  expect((await api.call(key, `GET ${FOLDERS}/${folder.id}`)).status).toBe(404);
});

it('refuse names, content types and parents that are none', async () => {
  const { key } = await world();
  const wrong = { name: '', colour: 1, content_type: 'CASE', parent_folder_id: 'x' };
  expect(new Set(places(await api.call(key, `POST ${FOLDERS}`, wrong)))).toEqual(
    new Set(['colour', 'content_type', 'name', 'parent_folder_id']),
  );
});

it('are listed by content type', async () => {
  const { key, make } = await world();
  await make({});
  const secrets = await make({ content_type: 'CREDENTIAL' });
  const { body } = await api.call(key, `GET ${FOLDERS}?content_type=CREDENTIAL`);
  expect(body.folders).toEqual([secrets]);
  expect(body.meta).toMatchObject({ count: 1, next_page_number: null });
});

it('count stories and resources', async () => {
  const { account, key, make, story } = await world();
  const folder = await make({});
  const resource = { name: 'r', value: 'x', team_id: account.team.id, folder_id: folder.id };
  expect((await api.call(key, 'POST /api/v1/global_resources', resource)).status).toBe(201);
  await api.call(key, `PUT /api/v1/stories/${(await story()).id}`, { folder_id: folder.id });
  expect((await api.call(key, `GET ${FOLDERS}/${folder.id}`)).body.size).toBe(2);
});

describe('in one another', () => {
  it('are never inside themselves, not even by two changes at once', async () => {
    const { key, make } = await world();
    const outer = await make({});
    const inner = await make({ parent_folder_id: outer.id });
    expect(inner.parent_folder_id).toBe(outer.id);
    const into = (folder: { id: number }, parent: { id: number }) =>
      api.call(key, `PUT ${FOLDERS}/${folder.id}`, { parent_folder_id: parent.id });
    for (const parent of [outer, inner]) {
      const response = await into(outer, parent);
      expect(places(response)).toEqual(['parent_folder_id']);
      expect(response.status).toBe(422);
    }
    const [left, right] = [await make({}), await make({})];
    const statuses = await Promise.all([into(left, right), into(right, left)]);
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 422]));
  });

  it('stand at most ten deep', async () => {
    const { key, make } = await world();
    let parent = await make({});
    for (let depth = 2; depth <= 10; depth++) parent = await make({ parent_folder_id: parent.id });
    expect(parent.parent_folder_id).toEqual(expect.any(Number));
    const response = await api.call(key, `POST ${FOLDERS}`, { name: 'F', parent_folder_id: parent.id });
    expect([response.status, places(response)]).toEqual([422, ['parent_folder_id']]);
  });

  it('move to the parent of a deleted folder', async () => {
    const { key, make } = await world();
    const outer = await make({});
    const middle = await make({ parent_folder_id: outer.id });
    const inner = await make({ parent_folder_id: middle.id });
    expect((await api.call(key, `DELETE ${FOLDERS}/${middle.id}`)).status).toBe(204);
    expect((await api.call(key, `GET ${FOLDERS}/${inner.id}`)).body.parent_folder_id).toBe(outer.id);
  });

  it('belong to one team, which the actor can see', async () => {
    const { account, key, make } = await world({ owner: true });
    const other = await buildTeam(stores.db, { tenantId: account.tenantId });
    const elsewhere = await make({ team_id: other.id });
    const stranger = await (await world()).make({});
    const under = (id: number) =>
      api.call(key, `POST ${FOLDERS}`, { name: 'F', parent_folder_id: id, team_id: account.team.id });
    expect((await under(elsewhere.id)).status).toBe(422);
    expect((await under(stranger.id)).status).toBe(404);
    expect((await under(999_999_999)).status).toBe(404);
  });
});

describe('as public clients change them', () => {
  it('take a name from the query, without a body', async () => {
    const { key, make } = await world();
    const { id } = await make({});
    const { body, status } = await api.call(key, `PUT ${FOLDERS}/${id}?name=Spam`);
    expect([status, body.name]).toEqual([200, 'Spam']);
  });

  it('take their own fields back, but neither another team nor another content type', async () => {
    const { key, make } = await world();
    const folder = await make({});
    expect((await api.call(key, `PUT ${FOLDERS}/${folder.id}`, { ...folder, name: 'Spam' })).body.name).toBe(
      'Spam',
    );
    const other = { team_id: folder.team_id + 1, content_type: 'RESOURCE' };
    expect(places(await api.call(key, `PUT ${FOLDERS}/${folder.id}`, other))).toEqual([
      'team_id',
      'content_type',
    ]);
  });
});
