import { buildAccount, buildTeam } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = '/api/v1/stories';

describe('a story that is made through the API', () => {
  it('is whole, key by key', async () => {
    const { key, team, user } = await buildAccount(stores.db);
    const asked = {
      team_id: String(team.id),
      name: ' Alert triage! ',
      description: 'Sorts alerts',
      keep_events_for: 86_400,
      tags: ['night', 'alerts'],
      disabled: true,
      priority: true,
    };
    const { status, body } = await api.call(key, `POST ${PATH}`, asked);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Alert triage!',
      user_id: user.id,
      created_at: TIME,
      updated_at: TIME,
      description: 'Sorts alerts',
      guid: expect.stringMatching(/^[0-9a-f]{32}$/),
      slug: 'alert_triage',
      keep_events_for: 86_400,
      disabled: true,
      priority: true,
      team_id: team.id,
      folder_id: null,
      edited_at: TIME,
      mode: 'LIVE',
      published: true,
      locked: false,
      change_control_enabled: false,
      owner: null,
      owners: [],
      tags: ['night', 'alerts'],
      send_to_story_enabled: false,
      send_to_story_access_source: 'OFF',
      send_to_story_access: null,
      shared_team_slugs: [],
      send_to_story_skill_use_requires_confirmation: true,
      entry_agent_id: null,
      exit_agents: [],
      synchronous_webhooks_enabled: false,
      webhook_api_enabled: false,
      api_entry_action_id: null,
      api_entry_action_ids: [],
      api_exit_action_ids: [],
      recipients: [],
      monitor_failures: false,
      runbook: '',
      run_subject: null,
      tests_on_publish: null,
      gallery_slug: null,
    });
    expect((await api.call(key, `GET ${PATH}/${body.id}`)).body).toEqual(body);
  });

  it('gets a name and the team of the folder or of the key', async () => {
    const { key, team } = await buildAccount(stores.db);
    const folder = (await api.call(key, 'POST /api/v1/folders', { name: 'F', team_id: team.id })).body;
    expect((await api.call(key, `POST ${PATH}`, {})).body).toMatchObject({
      name: 'Untitled story',
      team_id: team.id,
    });
    const response = await api.call(key, `POST ${PATH}?name=In+a+folder&folder_id=${folder.id}`);
    expect(response.body).toMatchObject({ name: 'In a folder', team_id: team.id, folder_id: folder.id });
  });

  it('is imported again from its export as it was', async () => {
    const { key, team } = await buildAccount(stores.db);
    const story = (await api.call(key, `POST ${PATH}`, { team_id: team.id, name: 'S', tags: 'a,b' })).body;
    const { body: data } = await api.call(key, `GET ${PATH}/${story.id}/export`);
    expect(data).toMatchObject({ name: 'S', agents: [], links: [], tags: ['a', 'b'] });
    const again = (await api.call(key, `POST ${PATH}/import`, { new_name: 'T', data })).body;
    expect(again).toMatchObject({ tags: ['a', 'b'], team_id: team.id });
    const { body: second } = await api.call(key, `GET ${PATH}/${again.id}/export`);
    const same = { exported_at: null, guid: null, name: null };
    expect({ ...second, ...same }).toEqual({ ...data, ...same });
  });

  it('tells which story of the gallery it was made of, whatever is changed, and after an export', async () => {
    const { key } = await buildAccount(stores.db);
    const imported = async (data: object) =>
      (await api.call(key, `POST ${PATH}/import`, { new_name: 'Digest', data })).body;
    const data = smallExport({ description: 'Mails a digest', gallery_slug: 'daily-digest' });
    const { id, gallery_slug: slug } = await imported(data);
    expect(slug).toBe('daily-digest');

    const change = { name: 'Renamed', description: 'Other words', tags: ['x'], gallery_slug: 'alert-triage' };
    await api.call(key, `PUT ${PATH}/${id}`, change);
    const { body: changed } = await api.call(key, `GET ${PATH}/${id}`);
    expect(changed).toMatchObject({ ...change, gallery_slug: 'daily-digest' });
    const { body: exported } = await api.call(key, `GET ${PATH}/${id}/export`);
    expect(await imported(exported)).toMatchObject({ gallery_slug: 'daily-digest' });
    const alike = { ...smallExport({ description: 'Mails a digest' }), gallery_slug: ['daily-digest'] };
    expect(await imported(alike)).toMatchObject({ description: 'Mails a digest', gallery_slug: null });
  });

  it.each([
    [{ name: 5 }, ['name']],
    [{ keep_events_for: 3601, tags: [1] }, ['keep_events_for', 'tags[0]']],
    [{ nme: 'x', folder_id: 'y' }, ['folder_id', 'nme']],
  ])('is refused with %j', async (body, wrong) => {
    const { key } = await buildAccount(stores.db);
    const response = await api.call(key, `POST ${PATH}`, body);
    expect([response.status, places(response).map(String).toSorted()]).toEqual([422, wrong]);
  });

  it('needs a team that may be changed', async () => {
    const { key, team, tenantId } = await buildAccount(stores.db);
    const other = await buildTeam(stores.db, { tenantId });
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    expect((await api.call(key, `POST ${PATH}`, { team_id: other.id })).status).toBe(404);
    expect((await api.call(key, `POST ${PATH}`, { folder_id: 999_999 })).status).toBe(404);
    expect((await api.call(viewer.key, `POST ${PATH}`, { team_id: team.id })).status).toBe(403);
  });

  it('counts to the quota of stories', async () => {
    const { key, tenantId } = await buildAccount(stores.db);
    await stores.sql('INSERT INTO tenant_quotas (tenant_id, stories) VALUES (?, 1)', [tenantId]);
    expect((await api.call(key, `POST ${PATH}`, {})).status).toBe(201);
    expect((await api.call(key, `POST ${PATH}`, {})).status).toBe(429);
  });
});

describe('stories that are deleted together', () => {
  it('go with their work, all of them', async () => {
    const { key } = await buildAccount(stores.db);
    const ids: number[] = [];
    for (const new_name of ['A', 'B', 'C']) {
      const data = smallExport({ agents: [agent('Agents::TriggerAgent', '1', { rules: [] })], links: [] });
      ids.push((await api.call(key, `POST ${PATH}/import`, { new_name, data })).body.id);
    }
    const [first = 0, second = 0, third = 0] = ids;
    expect((await api.call(key, `DELETE ${PATH}/batch`, { ids: [second, first, second] })).status).toBe(204);
    const left = (await api.call(key, `GET ${PATH}`)).body as { id: number }[];
    expect(left.map(({ id }) => id)).toEqual([third]);
    expect((await api.call(key, `DELETE ${PATH}/batch?ids[]=${third}`)).status).toBe(204);
    const rows = await stores.db.read((session) => session.rows('SELECT id FROM agents'));
    expect(rows).toEqual([]);
  });

  it('stay, all of them, if one is unknown or may not be changed', async () => {
    const { key, team } = await buildAccount(stores.db);
    const mine = (await api.call(key, `POST ${PATH}`, {})).body;
    const stranger = await buildAccount(stores.db);
    const theirs = (await api.call(stranger.key, `POST ${PATH}`, {})).body;
    const response = await api.call(key, `DELETE ${PATH}/batch`, { ids: [mine.id, theirs.id] });
    const message = `Story not found (story ${theirs.id})`;
    expect([response.status, response.body]).toEqual([404, { errors: [{ message, details: 'ids' }] }]);
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    expect((await api.call(viewer.key, `DELETE ${PATH}/batch`, { ids: [mine.id] })).status).toBe(403);
    expect((await api.call(key, `DELETE ${PATH}/batch`, { ids: [] })).status).toBe(422);
    expect((await api.call(key, `DELETE ${PATH}/batch`, { ids: [theirs.id, 'x'] })).status).toBe(404);
    expect((await api.call(key, `GET ${PATH}/${mine.id}`)).status).toBe(200);
  });
});

describe('a story that is disabled by its own endpoint', () => {
  it('changes to what is asked, or to the other', async () => {
    const { key, team } = await buildAccount(stores.db);
    const { id } = (await api.call(key, `POST ${PATH}`, {})).body;
    const disable = async (body?: object) =>
      (await api.call(key, `POST ${PATH}/${id}/disable`, body)).body.disabled as boolean;
    expect(await disable({ disabled: true })).toBe(true);
    expect(await disable({ disabled: 'true' })).toBe(true);
    expect(await disable()).toBe(false);
    expect(await disable()).toBe(true);
    expect(await disable({ disabled: false })).toBe(false);
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    expect((await api.call(viewer.key, `POST ${PATH}/${id}/disable`)).status).toBe(403);
    expect((await api.call(key, `POST ${PATH}/999999/disable`)).status).toBe(404);
  });
});
