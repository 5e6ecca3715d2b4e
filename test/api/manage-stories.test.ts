import { type Account, buildAccount, buildTeam } from '../support/builders.js';
import { startFabula } from '../support/fabula.js';
import { eventually } from '../support/eventually.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

async function withStory(overrides: Parameters<typeof buildAccount>[1] = {}, data = smallExport()) {
  const account = await buildAccount(stores.db, overrides);
  const { body } = await api.call(account.key, 'POST /api/v1/stories/import', {
    new_name: 'Triage',
    data,
    team_id: account.team.id,
  });
  return { account, key: account.key, story: body, path: `/api/v1/stories/${body.id}` };
}

const count = async (table: string) => {
  const rows = await stores.db.read((session) =>
    session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`),
  );
  return rows[0]!.n;
};
const colleague = (account: Account, role: 'VIEWER' | 'EDITOR' | 'TEAM_ADMIN') =>
  buildAccount(stores.db, { team: account.team, role });
const folderOf = async (account: Account) =>
  (await api.call(account.key, 'POST /api/v1/folders', { name: 'F', team_id: account.team.id })).body;

describe('a story', () => {
  it('is given whole, key by key', async () => {
    const { account, key, story, path } = await withStory();
    const { body } = await api.call(key, `GET ${path}`);
    expect(body).toEqual({
      id: story.id,
      name: 'Triage',
      user_id: account.user.id,
      description: '',
      created_at: TIME,
      updated_at: TIME,
      keep_events_for: 604_800,
      disabled: false,
      priority: false,
      guid: story.guid,
      team_id: account.team.id,
      folder_id: null,
      gallery_slug: null,
      slug: 'triage',
      edited_at: TIME,
      mode: 'LIVE',
      published: true,
      locked: false,
      change_control_enabled: false,
      owner: null,
      owners: [],
      tags: [],
      send_to_story_enabled: false,
      send_to_story_access_source: 'OFF',
      send_to_story_access: null,
      shared_team_slugs: [],
      send_to_story_skill_use_requires_confirmation: true,
      entry_agent_id: expect.any(Number),
      exit_agents: [expect.any(Number), expect.any(Number)],
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
    });
  });

  it.each(['PUT', 'PATCH'])(
    'is changed by %s where something is given, and raises its version',
    async (method) => {
      const { account, key, path, story } = await withStory();
      const folder = await folderOf(account);
      const change = {
        name: 'Other',
        description: 'What it does',
        keep_events_for: '3600',
        disabled: 'true',
        priority: true,
        synchronous_webhooks_enabled: true,
        folder_id: folder.id,
      };
      const changed = (await api.call(key, `${method} ${path}`, change)).body;
      expect(changed).toMatchObject({ ...change, keep_events_for: 3600, disabled: true });
      expect((await api.call(key, `${method} ${path}`, { folder_id: null, description: null })).body).toEqual(
        {
          ...changed,
          folder_id: null,
          description: '',
          updated_at: TIME,
        },
      );
      const [row] = await stores.db.read((session) =>
        session.rows<{ version: number }>('SELECT version FROM stories WHERE id = ?', [story.id]),
      );
      expect(row!.version).toBe(3);
      expect((await api.call(key, `${method} ${path}`, {})).status).toBe(200);
    },
  );

  it('moves to a team of the same actor, out of its folder', async () => {
    const { account, path } = await withStory({ owner: true });
    const other = await buildTeam(stores.db, { tenantId: account.tenantId });
    const folder = await folderOf(account);
    await api.call(account.key, `PUT ${path}`, { folder_id: folder.id });
    expect(
      (await api.call(account.key, `PUT ${path}`, { team_id: other.id, folder_id: folder.id })).status,
    ).toBe(422);
    expect((await api.call(account.key, `PUT ${path}`, { team_id: other.id })).body).toMatchObject({
      team_id: other.id,
      folder_id: null,
    });
  });

  it.each([
    [{ keep_events_for: 3601 }, 'keep_events_for'],
    [{ name: '' }, 'name'],
    [{ disabled: 'maybe' }, 'disabled'],
    [{ folder_id: 0 }, 'folder_id'],
    [{ description: 'x'.repeat(65_536) }, 'description'],
    [{ giud: 'x' }, 'giud'],
  ])('refuses %j', async (body, place) => {
    const { key, path } = await withStory();
    const response = await api.call(key, `PUT ${path}`, body);
    expect([response.status, places(response)]).toEqual([422, [place]]);
  });

  it('is not found with a team or a folder that is not to be seen', async () => {
    const { key, path } = await withStory();
    const stranger = await buildAccount(stores.db);
    const folder = await folderOf(stranger);
    for (const body of [
      { team_id: stranger.team.id },
      { folder_id: folder.id },
      { folder_id: 999_999_999 },
    ]) {
      expect((await api.call(key, `PUT ${path}`, body)).status).toBe(404);
    }
    expect((await api.call(stranger.key, `PUT ${path}`, { name: 'x' })).status).toBe(404);
    expect((await api.call(stranger.key, `DELETE ${path}`)).status).toBe(404);
    expect((await api.call(null, `GET ${path}`)).status).toBe(401);
  });

  it('is only read by a VIEWER', async () => {
    const { account, path } = await withStory();
    const viewer = await colleague(account, 'VIEWER');
    expect((await api.call(viewer.key, `GET ${path}`)).status).toBe(200);
    expect((await api.call(viewer.key, `PUT ${path}`, { name: 'x' })).status).toBe(403);
    expect((await api.call(viewer.key, `DELETE ${path}`)).status).toBe(403);
  });

  it('is deleted with its agents, links and deliveries, and frees its webhook path', async () => {
    const { account, key, path, story } = await withStory();
    const first = await api.fabula().fire('small/open%20sesame', { a: 1 });
    expect(first.status).toBe(201);
    await stores.sql(
      "INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state) VALUES ('x', ?, 1, 1, 'email', 1, NOW(3), 'failed')",
      [story.id],
    );
    expect(await count('deliveries')).toBe(2);
    expect((await api.call(key, `DELETE ${path}`)).status).toBe(204);
    for (const table of ['stories', 'agents', 'links', 'deliveries'])
      expect([table, await count(table)]).toEqual([table, 0]);
    expect((await api.call(key, `GET ${path}`)).status).toBe(404);
    expect((await api.call(key, `DELETE ${path}`)).status).toBe(404);
    await eventually(async () => (await api.fabula().fire('small/open%20sesame')).status === 404, 2_000);
    const again = await api.call(key, 'POST /api/v1/stories/import', {
      new_name: 'Again',
      data: smallExport(),
      team_id: account.team.id,
    });
    expect(again.body).not.toHaveProperty('warnings');
  });
});

const webhookOf = async (key: string, path: string) =>
  (await api.call(key, `GET ${path}/agents`)).body.agents[0];

describe('the agents of a story', () => {
  it.each(['agents', 'actions'])('are listed under /%s in their order, key by key', async (word) => {
    const { account, key, path, story } = await withStory();
    const { body } = await api.call(key, `GET ${path}/${word}?per_page=2`);
    const [first, second] = body.agents;
    expect(first).toEqual({
      id: expect.any(Number),
      story_id: story.id,
      team_id: account.team.id,
      user_id: account.user.id,
      type: 'Agents::WebhookAgent',
      name: 'Webhook 1',
      description: null,
      guid: expect.stringMatching(/^[0-9a-f]{32}$/),
      disabled: false,
      options: { path: 'small', secret: 'open sesame', verbs: 'get,post' },
      keep_events_for: 0,
      schedule: null,
      position: { x: 0, y: 0 },
      action_inputs: [],
      sources: [],
      receivers: [second.id],
      links_to_sources: [],
      links_to_receivers: [{ receiver_id: second.id, type: 'DEFAULT' }],
      monitor_all_events: false,
      monitor_failures: false,
      monitor_no_events_emitted: null,
      time_saved_value: 0,
      time_saved_unit: 'minutes',
      story_mode: 'LIVE',
      group_id: null,
      nested_group_id: null,
      created_at: TIME,
      updated_at: TIME,
    });
    expect(second.sources).toEqual([first.id]);
    expect(body.meta).toMatchObject({ count: 3, pages: 2, per_page: 2, previous_page: null });
    expect((await api.call(key, `GET /api/v1/${word}/${first.id}`)).body).toEqual({
      ...first,
      blended_events_count: 0,
      logs_count: 0,
      last_check_at: null,
      last_receive_at: null,
      last_event_at: null,
      last_error_log_at: null,
      action_memory_contents: {},
    });
    expect((await api.call(key, `GET ${path}/${word}?per_page=2&page=2`)).body.agents).toHaveLength(1);
  });

  it('are changed, and a webhook keeps path and secret unless it is given others', async () => {
    const { key, path } = await withStory();
    const { id } = await webhookOf(key, path);
    const url = `PUT /api/v1/actions/${id}`;
    const change = { name: 'Door', disabled: true, keep_events_for: 60, options: { verbs: 'post' } };
    expect((await api.call(key, url, change)).body).toMatchObject({
      ...change,
      options: { verbs: 'post', path: 'small', secret: 'open sesame' },
    });
    const moved = await api.call(key, url, { disabled: false, options: { path: 'new-path' } });
    expect(moved.body.options).toEqual({ path: 'new-path', secret: 'open sesame' });
    expect((await api.fabula().fire('new-path/open%20sesame')).status).toBe(201);
    await eventually(async () => (await api.fabula().fire('small/open%20sesame')).status === 404, 2_000);
  });

  it('refuse a path that is in use, with 409, and change nothing then', async () => {
    const { account, key, path } = await withStory();
    await api.call(key, 'POST /api/v1/stories/import', {
      new_name: 'Second',
      data: smallExport({ agents: [agent('Agents::WebhookAgent', '1', { path: 'taken' })], links: [] }),
      team_id: account.team.id,
    });
    const before = await webhookOf(key, path);
    const response = await api.call(key, `PUT /api/v1/agents/${before.id}`, {
      name: 'x',
      options: { path: 'taken' },
    });
    expect([response.status, places(response)]).toEqual([409, ['options.path']]);
    expect(await webhookOf(key, path)).toEqual(before);
  });

  it.each([
    [2, { options: { rules: 5 } }, 'options.rules'],
    [0, { options: { path: 'a/b' } }, 'options.path'],
    [0, { options: [] }, 'options'],
    [0, { type: 'Agents::TriggerAgent' }, 'type'],
    [0, { keep_events_for: -1 }, 'keep_events_for'],
  ])('refuse for agent %i %j', async (position, body, place) => {
    const { key, path } = await withStory();
    const { agents } = (await api.call(key, `GET ${path}/agents`)).body;
    const response = await api.call(key, `PATCH /api/v1/agents/${agents[position].id}`, body);
    expect([response.status, places(response)]).toEqual([422, [place]]);
  });

  it('are not found by others, and only read by a VIEWER', async () => {
    const { account, key, path } = await withStory();
    const { id } = await webhookOf(key, path);
    const stranger = await buildAccount(stores.db, { owner: true });
    const viewer = await colleague(account, 'VIEWER');
    for (const request of [`GET /api/v1/agents/${id}`, `GET ${path}/agents`]) {
      expect((await api.call(stranger.key, request)).status).toBe(404);
      expect((await api.call(viewer.key, request)).status).toBe(200);
      expect((await api.call(null, request)).status).toBe(401);
    }
    expect((await api.call(viewer.key, `PUT /api/v1/agents/${id}`, { name: 'x' })).status).toBe(403);
    expect((await api.call(stranger.key, `PUT /api/v1/agents/${id}`, { name: 'x' })).status).toBe(404);
  });
});

describe('a change', () => {
  it('is seen at once by other processes, not only after five seconds', async () => {
    const { key, path, story } = await withStory();
    const known = () => api.fabula().inner.storyKnown(story.id);
    expect((await known())?.disabled).toBe(false);
    await api.call(key, `PUT ${path}`, { disabled: true });
    await eventually(async () => (await known())?.disabled, 2_000);
    expect((await api.fabula().fire('small/open%20sesame')).status).toBe(404);
    await api.call(key, `DELETE ${path}`);
    await eventually(async () => (await known()) === null, 2_000);
  });
});

it('a disabled story rests, and goes on at once when it is enabled', async () => {
  const fabula = await startFabula(stores);
  const { account } = fabula;
  const story = await fabula.importStory(smallExport(), { team_id: account.team.id });
  const id = story.id;
  const agents = (await (await fabula.api('GET', `/api/v1/stories/${id}/agents`)).json()) as {
    agents: { id: number }[];
  };
  // A delivery that is under way when its story is disabled.
  await fabula.api('PUT', `/api/v1/stories/${id}`, { disabled: true });
  const state = () =>
    stores.db.read((session) =>
      session.rows<{ state: string; error: string }>('SELECT state, error FROM deliveries'),
    );
  await stores.db.read(async (session) => {
    await session.run(
      "INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES ('0', ?, ?, '{\"body\":{}}', '{}')",
      [id, agents.agents[0]!.id],
    );
    await session.run(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at)
       SELECT '0', ?, ?, MAX(id), 'event-transformation', 1, NOW(3) FROM events`,
      [id, agents.agents[1]!.id],
    );
  });
  await eventually(async () => (await state())[0]?.state === 'waiting');
  expect((await state())[0]?.error).toBe('Waits: the story or the action is disabled');
  const enabledAt = Date.now();
  await fabula.api('PUT', `/api/v1/stories/${id}`, { disabled: false });
  await fabula.settled(25_000);
  expect(Date.now() - enabledAt).toBeLessThan(25_000);
  expect(await count('deliveries')).toBe(0);
});
