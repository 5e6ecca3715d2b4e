import { buildAccount, buildTeam } from '../../support/builders.js';
import { places, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';
import { smallExport } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = '/api/v1/stories';
const RUNBOOK = '# When it fails\n\n1. Look at the shard.\n2. Call <b>Ada</b>.';

async function withStory() {
  const account = await buildAccount(stores.db);
  const body = { new_name: 'Triage', data: smallExport(), team_id: account.team.id };
  const { body: story } = await api.call(account.key, `POST ${PATH}/import`, body);
  const path = `${PATH}/${story.id}`;
  const put = (change: object) => api.call(account.key, `PUT ${path}`, change);
  const get = async () => (await api.call(account.key, `GET ${path}`)).body;
  const exported = async () => {
    const { exported_at: _at, ...data } = (await api.call(account.key, `GET ${path}/export`)).body;
    return data;
  };
  return { account, key: account.key, path, put, get, exported };
}

describe('the owner of a story', () => {
  it('is a user or a team, one at a time, and is sent back with the story', async () => {
    const { account, put, get, key } = await withStory();
    expect((await get()).owner).toBeNull();
    const { user, team } = account;
    const { body } = await put({ owner: { type: 'USER', id: user.id } });
    expect(body.owner).toEqual({ type: 'USER', id: user.id, name: user.email });
    await stores.sql("UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = ?", [user.id]);
    expect((await get()).owner).toEqual({ type: 'USER', id: user.id, name: 'Ada Lovelace' });
    expect((await put(await get())).body.owner).toEqual((await get()).owner);
    await put({ owner: { type: 'TEAM', id: team.id } });
    expect((await get()).owner).toMatchObject({ type: 'TEAM', id: team.id });
    const list = (await api.call(key, `GET ${PATH}?per_page=10`)).body;
    expect(list.stories[0].owner).toMatchObject({ type: 'TEAM', id: team.id });
    expect((await put({ owner: null })).body.owner).toBeNull();
  });

  it('is nobody whom the caller may not see, and nothing else than a user or a team', async () => {
    const { put, get } = await withStory();
    const stranger = await buildAccount(stores.db);
    const hidden = await buildTeam(stores.db, { tenantId: stranger.tenantId });
    for (const owner of [
      { type: 'USER', id: stranger.user.id },
      { type: 'TEAM', id: hidden.id },
      { type: 'TEAM', id: 999_999 },
    ]) {
      expect((await put({ owner })).status).toBe(404);
    }
    const refused = await put({ owner: { type: 'KEY', id: 1 } });
    expect([refused.status, places(refused)]).toEqual([422, ['owner.type']]);
    expect((await get()).owner).toBeNull();
  });

  it('is gone with its team', async () => {
    const { account, put, get } = await withStory();
    await put({ owner: { type: 'TEAM', id: account.team.id } });
    await stores.sql('UPDATE stories SET owner_team_id = 999999');
    expect((await get()).owner).toBeNull();
  });

  it('is no part of the export', async () => {
    const { account, put, exported } = await withStory();
    const before = await exported();
    await put({ owner: { type: 'USER', id: account.user.id } });
    expect(await exported()).toEqual(before);
  });
});

describe('the runbook of a story', () => {
  it('is kept as it is written, and stands in the export that an import takes', async () => {
    const { key, put, get, exported } = await withStory();
    const before = await exported();
    expect((await get()).runbook).toBe('');
    expect((await put({ runbook: RUNBOOK })).body.runbook).toBe(RUNBOOK);
    const data = await exported();
    expect(data).toEqual({ ...before, runbook: RUNBOOK });
    const again = (await api.call(key, `POST ${PATH}/import`, { new_name: 'Again', data })).body;
    expect(again.runbook).toBe(RUNBOOK);
    expect((await put({ runbook: null })).body.runbook).toBe('');
  });

  it('leaves the export of a story as it was that never had one', async () => {
    const { put, get, exported } = await withStory();
    const before = await exported();
    await put(await get());
    await put({ runbook: '' });
    expect(await exported()).toEqual(before);
  });

  it('has an upper limit', async () => {
    const { put } = await withStory();
    expect((await put({ runbook: 'x'.repeat(10_000) })).status).toBe(200);
    const refused = await put({ runbook: 'x'.repeat(10_001) });
    expect([refused.status, places(refused)]).toEqual([422, ['runbook']]);
  });

  it('is one of the differences between versions, and of a draft', async () => {
    const { key, path, put } = await withStory();
    await put({ runbook: RUNBOOK });
    const { story_versions: versions } = (await api.call(key, `GET ${path}/versions`)).body;
    const first = versions.at(-1).id;
    const { story_diff: diff } = (await api.call(key, `GET ${path}/versions/${first}/diff`)).body;
    expect(diff).toEqual([expect.objectContaining({ kind: 'setting', path: 'runbook', after: RUNBOOK })]);
    const draft = (await api.call(key, `POST ${path}/drafts`, { name: 'One' })).body;
    const ofDraft = (await api.call(key, `GET ${path}?draft_id=${draft.id}`)).body;
    expect(ofDraft.runbook).toBe(RUNBOOK);
  });

  it('shows no webhook address to those who may only read', async () => {
    const { account, path, put } = await withStory();
    const secret = 's'.repeat(32);
    await put({ runbook: `Call https://fabula.example/webhook/small/${secret}` });
    const reader = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const { runbook } = (await api.call(reader.key, `GET ${path}`)).body;
    expect(runbook).toContain('https://fabula.example');
    expect(runbook).not.toContain(secret);
  });
});
